/** Draws numbers from 0 to below 1, the same ones for the same seed. */
export type Draw = () => number

export function drawsOf(seed: number): Draw {
  let state = Math.imul(seed + 1, 0x9e3779b1) | 1
  return () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) / 2 ** 32
  }
}

const vocabulary = 200_000
const [starts, vowels] = ['bcdfghjklmnprstvwz', 'aeiou']
const syllables = Array.from(
  { length: starts.length * vowels.length },
  (_, at) => `${starts[at % starts.length]}${vowels[Math.floor(at / starts.length)]}`,
)
const joints = [' ', ' ', ' ', ' ', ' ', '(', ') ', ', ', ': ', '; ', ' = ', '\n  ']
// Real coding sessions contain such words in about this many entries, and few of them.
const foreign = [' — ', '→ ', ' … ', ' ✓ ', 'café ', ' “quoted” ']

/** The word with this rank, 1 for the most common; every seventh is a name as in code. */
export function wordOf(rank: number): string {
  const parts: string[] = []
  for (let rest = rank + syllables.length; rest > 0; rest = Math.floor(rest / syllables.length)) {
    parts.push(syllables[rest % syllables.length] ?? '')
  }
  return parts.join(rank % 7 === 0 ? 'For' : '')
}

const words = Array.from({ length: vocabulary }, (_, at) => wordOf(at + 1))

/** A word drawn with the frequency of its rank in a real text (Zipf's law). */
function anyWord(draw: Draw): string {
  return words[Math.floor(vocabulary ** draw()) - 1] ?? ''
}

/** This many characters resembling code and its output; three in ten are not all ASCII. */
export function textOf(draw: Draw, characters: number): string {
  let text = draw() < 0.3 ? (foreign[Math.floor(draw() * foreign.length)] ?? '') : ''
  while (text.length < characters) {
    text += anyWord(draw) + (joints[Math.floor(draw() * joints.length)] ?? '')
  }
  return text
}

/** A name that occurs in only one place. */
export function identifierOf(step: number): string {
  return `render${wordOf(step % vocabulary)}${Math.imul(step + 1, 0x9e3779b1) >>> 0}`
}

/** One of several thousand files. */
export function pathOf(file: number): string {
  return `src/${wordOf(file % 60)}/${wordOf(file * 7)}.ts`
}
