/** Draws from 0 to below 1: the same ones for the same seed. */
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
// About as many entries of real coding sessions hold something like these, and few of them.
const foreign = [' — ', '→ ', ' … ', ' ✓ ', 'café ', ' “quoted” ']

/** The word with this rank, 1 for the commonest; every seventh is a name as code has them. */
export function wordOf(rank: number): string {
  const parts: string[] = []
  for (let rest = rank + syllables.length; rest > 0; rest = Math.floor(rest / syllables.length)) {
    parts.push(syllables[rest % syllables.length] ?? '')
  }
  return parts.join(rank % 7 === 0 ? 'For' : '')
}

const words = Array.from({ length: vocabulary }, (_, at) => wordOf(at + 1))

/** A word as often as its rank in a real text would have it (Zipf's law). */
function anyWord(draw: Draw): string {
  return words[Math.floor(vocabulary ** draw()) - 1] ?? ''
}

/** So many characters of something like code and its output; three in ten not all ASCII. */
export function textOf(draw: Draw, characters: number): string {
  let text = draw() < 0.3 ? (foreign[Math.floor(draw() * foreign.length)] ?? '') : ''
  while (text.length < characters) {
    text += anyWord(draw) + (joints[Math.floor(draw() * joints.length)] ?? '')
  }
  return text
}

/** A name that stands in one place alone. */
export function identifierOf(step: number): string {
  return `render${wordOf(step % vocabulary)}${Math.imul(step + 1, 0x9e3779b1) >>> 0}`
}

/** One of some thousands of files. */
export function pathOf(file: number): string {
  return `src/${wordOf(file % 60)}/${wordOf(file * 7)}.ts`
}
