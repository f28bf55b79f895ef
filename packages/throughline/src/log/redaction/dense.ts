const digits = '0123456789'
const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'
const small = letters.toLowerCase()

/** Adobe's base85, that of Git and Python, and ZeroMQ's. */
const alphabets85: readonly string[] = [
  Array.from({ length: 85 }, (_, value) => String.fromCharCode(33 + value)).join(''),
  `${digits}${letters}${small}!#$%&()*+-;<=>?@^_\`{|}~`,
  `${digits}${small}${letters}.-:+=^!/*?&<>()[]{}@%$#`,
]
const alphabet58 = `${digits.slice(1)}${letters.replace(/[IO]/g, '')}${small.replace('l', '')}`

/** Whether a text holds these bytes in base85, or in base58 as a whole or behind some others. */
export function denselyHolds(bytes: readonly number[]): (text: string) => boolean {
  const in85 = needles85(bytes)
  const fewest = Math.max(11, Math.floor((bytes.length * 8) / Math.log2(58)))
  const run58 = new RegExp(`[${alphabet58}]{${fewest},${fewest * 2 + 40}}`, 'g')
  const wanted = hexOf(bytes)
  return (text) =>
    in85.some((needle) => text.includes(needle)) ||
    (text.match(run58) ?? []).some((run) => isMixed(run) && hex58(run).includes(wanted))
}

/** What base85 writes for whole groups of the bytes, wherever the first group begins. */
function needles85(bytes: readonly number[]): string[] {
  return [0, 1, 2, 3].flatMap((before) => {
    const groups: number[] = []
    for (let at = before; at + 4 <= bytes.length; at += 4) {
      groups.push(bytes.slice(at, at + 4).reduce((sum, byte) => sum * 256 + byte, 0))
    }
    // One group of five characters may stand anywhere.
    if (groups.length < 2) return []
    return alphabets85.map((alphabet) => groups.map((group) => digits85(group, alphabet)).join(''))
  })
}

function digits85(group: number, alphabet: string): string {
  return [85 ** 4, 85 ** 3, 85 ** 2, 85, 1]
    .map((place) => alphabet[Math.floor(group / place) % 85])
    .join('')
}

/** Words and names are no numbers in base58: those mix digits and letters of both cases. */
function isMixed(run: string): boolean {
  return /\d/.test(run) && /[a-z]/.test(run) && /[A-Z]/.test(run)
}

function hex58(run: string): string {
  let number = 0n
  for (const digit of run) number = number * 58n + BigInt(alphabet58.indexOf(digit))
  const hex = number.toString(16)
  return hex.length % 2 === 0 ? hex : `0${hex}`
}

function hexOf(bytes: readonly number[]): string {
  return bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
