// Icons of the toolbar, as paths in a 24 x 24 square.
const PATHS = {
  play: 'M7 4l13 8-13 8z', pause: 'M6 4h4v16H6zM14 4h4v16h-4z', next: 'M5 4l10 8-10 8zM16 4h3v16h-3z', back: 'M19 4L9 12l10 8zM5 4h3v16H5z',
  reset: 'M12 5V1L7 6l5 5V7a5 5 0 1 1-5 5H5a7 7 0 1 0 7-7z', camera: 'M9 4L7.5 6H4v13h16V6h-3.5L15 4zM12 8a4.5 4.5 0 1 1 0 9 4.5 4.5 0 0 1 0-9z',
  edit: 'M3 17.2V21h3.8L17.8 10 14 6.2zM20.7 7a1 1 0 0 0 0-1.4l-2.3-2.3a1 1 0 0 0-1.4 0L15.1 5.1 19 9z', plot: 'M3 3h2v16h16v2H3zM7 15l4-5 3 3 5-7 1.6 1.2L14.3 16l-3-3-2.7 3.3z',
  help: 'M11 17h2v2h-2zM12 3a5 5 0 0 1 5 5c0 3-4 3.3-4 7h-2c0-4.700 4-4.500 4-7a3 3 0 0 0-6 0H7a5 5 0 0 1 5-5z', film: 'M3 6h12v4l6-4v12l-6-4v4H3z', open: 'M3 5h6l2 2h10v12H3z', side: 'M3 4h18v16H3zM9 6v12h10V6z',
};

export function icon(name) {
  const space = 'http://www.w3.org/2000/svg';
  const svg = document.createElementNS(space, 'svg'), path = document.createElementNS(space, 'path');
  svg.setAttribute('viewBox', '0 0 24 24');
  path.setAttribute('d', PATHS[name]);
  svg.append(path);
  return svg;
}
