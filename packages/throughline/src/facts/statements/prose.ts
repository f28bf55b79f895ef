/** How much of a text is read to tell what it is made of. */
const WINDOW = 40_000

const FEWEST_WORDS = 4

/** Whether a text is made of words rather than of code: it has four or more, and most are plain. */
export function isProse(text: string): boolean {
  const end = Math.min(text.length, WINDOW)
  let words = 0
  let plain = 0
  for (let at = 0; at < end;) {
    if (isSpace(text.charCodeAt(at))) {
      at++
      continue
    }
    const start = at
    let ascii = true
    for (; at < end; at++) {
      const code = text.charCodeAt(at)
      if (isSpace(code)) break
      if (code >= 128) ascii = false
    }
    words++
    if (ascii ? isPlainWord(text, start, at) : PLAIN.test(text.slice(start, at))) plain++
  }
  if (words === 0) return false
  return (words >= FEWEST_WORDS && plain > words / 2) || UNSPACED.test(text)
}

/** A word of any script with the punctuation around it. */
const PLAIN = /^[("'`*]{0,3}[\p{L}][\p{L}'’-]*[.,:;!?)"'`*]{0,4}$/u
const UNSPACED = /[\u3040-\u30ff\u4e00-\u9fff]{8}/

// What `PLAIN` accepts: before a word, in it, and after it.
const BEFORE = 1
const LETTER = 2
const WITHIN = 4
const BEHIND = 8
const kinds = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code)
  return (
    (`("'\`*`.includes(character) ? BEFORE : 0) |
    (/[a-z]/i.test(character) ? LETTER | WITHIN : 0) |
    (`'-`.includes(character) ? WITHIN : 0) |
    (`.,:;!?)"'\`*`.includes(character) ? BEHIND : 0)
  )
})

/** What `PLAIN` says of a word of ASCII, many times as fast. */
function isPlainWord(text: string, start: number, end: number): boolean {
  let at = start
  while (at < end && at < start + 3 && isOf(text, at, BEFORE)) at++
  if (at === end || !isOf(text, at, LETTER)) return false
  while (at < end && isOf(text, at, WITHIN)) at++
  if (end - at > 4) return false
  while (at < end && isOf(text, at, BEHIND)) at++
  return at === end
}

function isOf(text: string, at: number, kind: number): boolean {
  return ((kinds[text.charCodeAt(at)] as number) & kind) !== 0
}

/** Whether `\s` matches a character. */
function isSpace(code: number): boolean {
  if (code < 128) return code === 32 || (code >= 9 && code <= 13)
  return (
    code === 0xa0 ||
    (code >= 0x1680 &&
      (code === 0x1680 ||
        (code >= 0x2000 && code <= 0x200a) ||
        code === 0x2028 ||
        code === 0x2029 ||
        code === 0x202f ||
        code === 0x205f ||
        code === 0x3000 ||
        code === 0xfeff))
  )
}
