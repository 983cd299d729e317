// Embedded data of single-file pages: compressed parts in separate elements.
export function has(id) { return document.getElementById(id) !== null; }

// The bytes of an element: gzip in base64.
export async function part(id) {
  const text = document.getElementById(id).textContent.trim();
  return gunzip(Uint8Array.from(atob(text), c => c.charCodeAt(0)));
}

async function gunzip(bytes) {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

// Unpacks files from a byte array, as packed by `web/src/files.rs`.
export function unpack(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength), files = {};
  for (let at = 0; at < bytes.length;) {
    const letters = view.getUint32(at, true), length = view.getUint32(at + 4, true);
    const name = new TextDecoder().decode(bytes.subarray(at + 8, at + 8 + letters));
    at += 8 + letters;
    files[name] = bytes.slice(at, at + length);
    at += length;
  }
  return files;
}
