// Creates elements in one call: h('button.small', { onclick }, 'text', child…).
export function h(what, props = {}, ...children) {
  const [tag, ...classes] = what.split('.');
  const element = document.createElement(tag || 'div');
  if (classes.length) element.className = classes.join(' ');
  for (const [key, value] of Object.entries(props)) {
    if (key.startsWith('aria-') || key === 'role' || key === 'list') element.setAttribute(key, value);
    else element[key] = value;
  }
  element.append(...children.flat().filter(c => c !== null && c !== undefined));
  return element;
}

// A collapsible section of a panel.
export function fold(title, open, ...children) {
  return h('details', { open }, h('summary', {}, title), h('div.fold', {}, ...children));
}

// Downloads a file.
export function save(blob, name) {
  const link = h('a', { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
