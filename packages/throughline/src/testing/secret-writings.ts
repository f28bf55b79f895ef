/** A way in which programs and people write a text into another. */
export interface Writing {
  name: string
  write: (secret: string) => string
}

function named(all: readonly (readonly [string, Writing['write']])[]): Writing[] {
  return all.map(([name, write]) => ({ name, write }))
}

function bytesOf(text: string, encoding: 'utf8' | 'utf16le' = 'utf8'): Buffer {
  return Buffer.from(text, encoding)
}

function big(text: string): Buffer {
  return bytesOf(text, 'utf16le').swap16()
}

function inJson(text: string): string {
  return JSON.stringify(text).slice(1, -1)
}

function wrapped(text: string, width: number, end: string): string {
  return text.match(new RegExp(`[^]{1,${width}}`, 'g'))?.join(end) ?? text
}

const entity: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Each way alone. What is written may be written again. */
export const writings: readonly Writing[] = named([
  ['as it is', (text) => text],
  ['JSON', inJson],
  [
    'JSON of Go: \\u0026',
    (text) => inJson(text).replace(/[<>&]/g, (each) => `\\u00${each.charCodeAt(0).toString(16)}`),
  ],
  ['JSON of PHP: \\/', (text) => inJson(text).replaceAll('/', '\\/')],
  [
    'JSON in ASCII',
    (text) =>
      inJson(text).replace(
        /[^ -~]/g,
        (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0').toUpperCase()}`,
      ),
  ],
  ['JSON twice', (text) => inJson(inJson(text))],
  ['Python: \\x26', (text) => text.replace(/[^A-Za-z0-9]/gu, hexEscapes)],
  ['C and git: \\046', (text) => text.replace(/[^A-Za-z0-9]/gu, octalEscapes)],
  ['old scripts: %u0026', (text) => text.replace(/[^A-Za-z0-9]/g, percentEscape)],
  ['HTML: &amp;', (text) => text.replace(/[&<>"']/g, (each) => entity[each] as string)],
  [
    'numeric entities',
    (text) => text.replace(/[^A-Za-z0-9]/gu, (each) => `&#${each.codePointAt(0)};`),
  ],
  [
    'hexadecimal entities',
    (text) => Array.from(text, (each) => `&#x${each.codePointAt(0)?.toString(16)};`).join(''),
  ],
  ['URL: %26', (text) => encodeURIComponent(text)],
  [
    'URL in small letters: %2f',
    (text) => encodeURIComponent(text).replace(/%../g, (each) => each.toLowerCase()),
  ],
  [
    'URL userinfo',
    (text) => new URL(`https://user:${encodeURIComponent(text)}@host.example/`).href,
  ],
  ['URL query', (text) => `https://host.example/?${new URLSearchParams({ key: text })}`],
  ['form', (text) => new URLSearchParams({ a: text }).toString()],
  ['shell, single quotes', (text) => `'${text.replaceAll("'", String.raw`'\''`)}'`],
  ['shell, single quotes within double', (text) => `'${text.replaceAll("'", `'"'"'`)}'`],
  ['shell, double quotes', (text) => `"${text.replace(/["$`\\!]/g, '\\$&')}"`],
  ['shell, backslashes', (text) => text.replace(/[^A-Za-z0-9_./\n-]/gu, '\\$&')],
  [
    'shell, ANSI-C',
    (text) => `$'${text.replace(/[\\']/g, '\\$&').replace(/[\n\t\r]/g, (each) => inJson(each))}'`,
  ],
  ['shell, a line that goes on', (text) => cut(text, 4, '\\\n')],
  ['cmd: ^&', (text) => text.replace(/[&|<>^()%!"]/g, '^$&')],
  ['PowerShell: `$', (text) => `"${text.replace(/[$`"]/g, '`$&')}"`],
  ['SQL and YAML', (text) => `'${text.replaceAll("'", "''")}'`],
  ['CSV', (text) => `"${text.replaceAll('"', '""')}"`],
  ['base64', (text) => bytesOf(text).toString('base64')],
  ['base64, one byte in', (text) => bytesOf(`:${text}`).toString('base64')],
  ['base64, two bytes in', (text) => bytesOf(`a:${text}\n`).toString('base64')],
  ['base64 for URLs', (text) => bytesOf(`u~${text}~`).toString('base64url')],
  ['base64 in lines', (text) => wrapped(bytesOf(`user:${text}`).toString('base64'), 10, '\n')],
  ['base64 in JSON lines', (text) => inJson(wrapped(bytesOf(text).toString('base64'), 8, '\r\n'))],
  ['base64 behind a path', (text) => `/x/${bytesOf(text).toString('base64')}`],
  ['base64 twice', (text) => bytesOf(bytesOf(text).toString('base64')).toString('base64')],
  ['base64 of UTF-16', (text) => bytesOf(text, 'utf16le').toString('base64')],
  ['base64 of UTF-16, big end first', (text) => big(text).toString('base64')],
  ['hex', (text) => bytesOf(text).toString('hex')],
  ['hex in capitals', (text) => bytesOf(text).toString('hex').toUpperCase()],
  ['hex behind another digit', (text) => `0${bytesOf(text).toString('hex')}`],
  ['hex with colons', (text) => wrapped(bytesOf(text).toString('hex'), 2, ':')],
  ['hex as an array', (text) => wrapped(bytesOf(text).toString('hex'), 2, ', 0x')],
  ['a list of bytes', (text) => JSON.stringify([...bytesOf(text)])],
  ['UTF-8 read as characters', (text) => bytesOf(text).toString('latin1')],
  ['UTF-16 read as bytes', (text) => bytesOf(text, 'utf16le').toString('latin1')],
  ['colors in it', (text) => `${cut(text, 3, '\u001b[31;1m')}\u001b[0m`],
  ['colors in JSON', (text) => inJson(cut(text, 4, '\u001b[0m'))],
  ['a hyperlink in it', (text) => `\u001b]8;;https://a.b\u0007${cut(text, 5, '\u001b[K')}`],
  ['the end of a hyperlink in it', (text) => cut(text, 3, '\u001b]8;;\u0007')],
  ['a character without width in it', (text) => cut(text, 3, '\u200b')],
])

/** Ways in which a text stands apart: only known again of texts that are like no others. */
export const looseWritings: readonly Writing[] = named([
  ['lines of a terminal', (text) => wrapped(text, 7, '\n')],
  ['indented lines', (text) => wrapped(text, 7, '\r\n      ')],
  ['lines with numbers', (text) => wrapped(text, 9, '\n    12→')],
  ['lines in a frame', (text) => wrapped(text, 9, ' │\n│ ')],
  ['lines of a quotation', (text) => wrapped(text, 9, '\n> ')],
  ['lines of a shell', (text) => wrapped(text, 9, '\\\n')],
  ['texts of a program', (text) => wrapped(text, 9, '" + "')],
  ['words of a shell', (text) => wrapped(text, 9, `'"`)],
  [
    'pieces of a stream',
    (text) =>
      wrapped(text, 5, '\n')
        .split('\n')
        .map((piece) => `data: ${JSON.stringify({ type: 'delta', delta: { text: piece } })}`)
        .join('\n\n'),
  ],
])

function hexEscapes(character: string): string {
  return [...bytesOf(character)].map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join('')
}

function octalEscapes(character: string): string {
  return [...bytesOf(character)].map((byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('')
}

function percentEscape(unit: string): string {
  return `%u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
}

/** The text with another in it, not within a character. */
function cut(text: string, at: number, by: string): string {
  const characters = [...text]
  return [...characters.slice(0, at), by, ...characters.slice(at)].join('')
}
