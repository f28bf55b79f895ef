import type { Form } from './reading.ts'

// How files of these kinds begin, as bytes or as a reader shows bytes that are no text: gzip, zip,
// xz, bzip2, Zstandard, 7z; OpenSSL, PGP, age, Ansible.
const begins =
  // eslint-disable-next-line no-control-regex
  /\x1f[\x8b\ufffd]\x08|PK\x03\x04|[\xfd\ufffd]7zXZ\0|BZh[1-9]1AY&SY|\(\xb5\/\xfd|\(\ufffd\/\ufffd|7z[\xbc\ufffd][\xaf\ufffd]'\x1c|Salted__|-----BEGIN PGP MESSAGE-----|age-encryption\.org\/v1|\$ANSIBLE_VAULT;/

/** Whether a text holds data that nobody can look into without its program or its key. */
export function isPacked(text: string, form: Form): boolean {
  return begins.test(text) || (mayBeZlib.has(form) && holdsZlib(text))
}

// zlib has two bytes of its own, so that only what was surely decoded may begin with them.
const mayBeZlib: ReadonlySet<Form> = new Set(['base64', 'hex', 'dump'])
// eslint-disable-next-line no-control-regex
const zlib = /(?:^|\uffff)x[\x01\x9c\xda]([^\uffff])[^\uffff]{10}/g

function holdsZlib(text: string): boolean {
  for (const [, third] of text.matchAll(zlib)) {
    // How the first block is packed: with a table of its own, or a short one with the fixed table.
    const block = (third as string).charCodeAt(0) & 7
    if (block === 3 || block === 4 || block === 5) return true
  }
  return false
}
