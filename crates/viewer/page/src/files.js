// Files that the user opens or drops: single files, folders, zip archives.
import { unzipSync } from 'fflate';

const MOST = 1 << 30; // total size of all files in bytes
const SKIPPED = /(^|\/)(\.|__MACOSX|node_modules)/;

// Dropped files by name.
export async function dropped(transfer) {
  const entries = [...transfer.items].map(item => item.webkitGetAsEntry?.()).filter(Boolean);
  const files = {};
  if (entries.length) for (const entry of entries) await walk(entry, '', files);
  else for (const file of transfer.files) await add(files, file.name, file);
  return strip(files);
}

// Files of an input element by name.
export async function chosen(list) {
  const files = {};
  for (const file of list) await add(files, file.webkitRelativePath || file.name, file);
  return strip(files);
}

async function walk(entry, folder, files) {
  const name = folder + entry.name;
  if (SKIPPED.test(name)) return;
  if (entry.isFile) { await add(files, name, await new Promise((done, fail) => entry.file(done, fail))); return; }
  const reader = entry.createReader();
  // a reader returns its entries in batches
  for (;;) {
    const part = await new Promise((done, fail) => reader.readEntries(done, fail));
    if (part.length === 0) return;
    for (const child of part) await walk(child, `${name}/`, files);
  }
}

async function add(files, name, file) {
  const total = Object.values(files).reduce((sum, f) => sum + f.length, file.size);
  if (total > MOST) throw Error('these files are larger than 1 GB together');
  const bytes = new Uint8Array(await file.arrayBuffer());
  if (!/\.zip$/i.test(name)) { files[name] = bytes; return; }
  let unpacked = total;
  const wanted = entry => {
    if (SKIPPED.test(entry.name) || entry.name.endsWith('/')) return false;
    if ((unpacked += entry.originalSize) > MOST) throw Error('these files are larger than 1 GB together');
    return true;
  };
  Object.assign(files, unzipSync(bytes, { filter: wanted }));
}

// Removes the folder that all names share.
function strip(files) {
  const names = Object.keys(files);
  const folder = names[0]?.includes('/') ? names[0].slice(0, names[0].indexOf('/') + 1) : '';
  if (!folder || !names.every(n => n.startsWith(folder))) return files;
  return strip(Object.fromEntries(names.map(n => [n.slice(folder.length), files[n]])));
}

const text = bytes => new TextDecoder().decode(bytes.subarray(0, 1 << 20));

// Files that may be models: first those that no other file includes, then those nearest to the root.
export function models(files) {
  const found = Object.keys(files).filter(n => /\.(xml|urdf|mjcf|sinew)$/i.test(n));
  const body = Object.fromEntries(found.map(n => [n, /\.sinew$/i.test(n) ? '' : text(files[n])]));
  const included = new Set(found.flatMap(n => [...body[n].matchAll(/<(?:include|model)\b[^>]*\bfile\s*=\s*["']([^"']+)/g)].map(m => m[1].split('/').pop())));
  const rank = n => (included.has(n.split('/').pop()) ? 100 : 0) + n.split('/').length - (/scene/i.test(n) ? 0.5 : 0);
  return found.filter(n => /\.sinew$/i.test(n) || /<(mujoco|robot)\b/.test(body[n])).sort((a, b) => rank(a) - rank(b));
}
