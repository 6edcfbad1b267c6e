/** Files out of the browser, and several files as one archive. Nothing leaves the machine. */

const FIRST_DAY = [0, 33]; // 1 January 1980: the same content makes the same archive

/** Offers a file. @param {string} name @param {Blob} blob */
export function save(name, blob) {
  const url = URL.createObjectURL(blob), anchor = document.createElement("a");
  Object.assign(anchor, { href: url, download: name });
  document.body.append(anchor);
  anchor.click();
  anchor.remove();
  setTimeout(() => URL.revokeObjectURL(url), 10000);
}

const TABLE = Uint32Array.from({ length: 256 }, (_, n) => {
  let c = n;
  for (let k = 0; k < 8; k++) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1;
  return c;
});

/** The CRC-32 of the archive format. @param {Uint8Array} bytes */
function checksum(bytes) {
  let c = 0xffffffff;
  for (const byte of bytes) c = TABLE[(c ^ byte) & 255] ^ (c >>> 8);
  return (c ^ 0xffffffff) >>> 0;
}

/** Little-endian fields: [size in bytes, value] pairs. */
function fields(list) {
  const out = new Uint8Array(list.reduce((sum, [size]) => sum + size, 0)), view = new DataView(out.buffer);
  let at = 0;
  for (const [size, value] of list) {
    if (size === 2) view.setUint16(at, value, true);
    else view.setUint32(at, value, true);
    at += size;
  }
  return out;
}

/**
 * A ZIP archive of texts, stored without compression.
 * @param {{name: string, text: string}[]} files
 * @returns {Blob}
 */
export function archive(files) {
  const encoder = new TextEncoder(), parts = [], entries = [];
  let offset = 0;
  for (const { name, text } of files) {
    const content = encoder.encode(text), title = encoder.encode(name);
    // Version 2.0, names in UTF-8 (bit 11), method 0: stored.
    const common = [[2, 20], [2, 0x800], [2, 0], [2, FIRST_DAY[0]], [2, FIRST_DAY[1]], [4, checksum(content)], [4, content.length], [4, content.length], [2, title.length], [2, 0]];
    const head = fields([[4, 0x04034b50], ...common]);
    entries.push(fields([[4, 0x02014b50], [2, 20], ...common, [2, 0], [2, 0], [2, 0], [4, 0], [4, offset]]), title);
    parts.push(head, title, content);
    offset += head.length + title.length + content.length;
  }
  const size = entries.reduce((sum, entry) => sum + entry.length, 0);
  return new Blob([...parts, ...entries, fields([[4, 0x06054b50], [2, 0], [2, 0], [2, files.length], [2, files.length], [4, size], [4, offset], [2, 0]])], { type: "application/zip" });
}
