import { estimateTokens } from 'throughline/engine'
import { gptTokenCounter } from 'throughline/gpt-tokenizer'
import { kindsOfText, type Kind } from '../tokens/kinds.ts'

export interface EstimateFigures {
  kinds: KindFigures[]
  /** MB/s of the estimator and of gpt-tokenizer on the same text, by round. */
  estimator: Spread
  tokenizer: Spread
  /** How many times faster the estimator is. */
  ratio: Spread
  /** Milliseconds for a session's four million characters: ASCII, and with other scripts. */
  session: { ascii: Spread; mixed: Spread }
}

interface KindFigures {
  name: string
  characters: number
  fitted: boolean
  /** Estimated tokens divided by real ones. */
  bias: number
  /**
   * The error within which 95 of 100 pieces of 4,096 characters stay, as a share; needs ten pieces.
   */
  p95: number | undefined
  /** Characters / 4, divided by real tokens. */
  quarter: number
}

interface Spread {
  median: number
  low: number
  high: number
}

const rounds = 7
const piece = 4_096

/** The estimator against o200k_base: error by kind of text, and speed. */
export async function benchEstimate(): Promise<EstimateFigures> {
  const count = await gptTokenCounter('o200k_base')
  const kinds = kindsOfText()
  const measured = kinds.map((kind) => measureKind(kind, count))
  const texts = kinds.filter(({ text }) => text.length > 10_000).map(({ text }) => text)
  const speed = measureSpeed(texts, count)
  const figures = { kinds: measured, ...speed, session: measureSession(texts.join('\n')) }
  print(figures)
  return figures
}

function measureKind({ name, text, fitted }: Kind, count: (text: string) => number): KindFigures {
  const errors: number[] = []
  for (let from = 0; from + piece <= text.length; from += piece) {
    const part = text.slice(from, from + piece)
    errors.push(Math.abs(estimateTokens(part) / count(part) - 1))
  }
  errors.sort((a, b) => a - b)
  const tokens = count(text)
  return {
    name,
    characters: text.length,
    fitted,
    bias: estimateTokens(text) / tokens,
    p95: errors.length < 10 ? undefined : errors[Math.floor(errors.length * 0.95)],
    quarter: text.length / 4 / tokens,
  }
}

function measureSpeed(
  texts: readonly string[],
  count: (text: string) => number,
): Pick<EstimateFigures, 'estimator' | 'tokenizer' | 'ratio'> {
  // Pieces that the tokenizer has not seen, because it remembers recent words.
  const share = (round: number, text: string): string =>
    text.slice((text.length / rounds) * round, (text.length / rounds) * (round + 1))
  const estimator: number[] = []
  const tokenizer: number[] = []
  for (let round = 0; round < rounds; round++) {
    const parts = texts.map((text) => share(round, text))
    const megabytes = parts.reduce((sum, part) => sum + Buffer.byteLength(part), 0) / 1e6
    estimator.push((megabytes / milliseconds(() => parts.forEach(estimateTokens))) * 1_000)
    tokenizer.push((megabytes / milliseconds(() => parts.forEach(count))) * 1_000)
  }
  const ratios = estimator.map((rate, round) => rate / (tokenizer[round] ?? rate))
  return { estimator: spread(estimator), tokenizer: spread(tokenizer), ratio: spread(ratios) }
}

function measureSession(text: string): EstimateFigures['session'] {
  const ascii = Buffer.from(text.replace(/[^\x00-\x7f]/g, '?').slice(0, 4e6), 'latin1')
  const samples = { ascii: ascii.toString('latin1'), mixed: `${text.slice(0, 4e6 - 1)}…` }
  const times = (sample: string): Spread =>
    spread(Array.from({ length: 15 }, () => milliseconds(() => estimateTokens(sample))))
  return { ascii: times(samples.ascii), mixed: times(samples.mixed) }
}

function milliseconds(run: () => void): number {
  const start = performance.now()
  run()
  return performance.now() - start
}

function spread(values: number[]): Spread {
  const sorted = [...values].sort((a, b) => a - b)
  const [low = 0] = sorted
  return { median: sorted[sorted.length >> 1] ?? 0, low, high: sorted.at(-1) ?? 0 }
}

function print({ kinds, estimator, tokenizer, ratio, session }: EstimateFigures): void {
  const write = ({ median, low, high }: Spread, digits = 0): string =>
    `${median.toFixed(digits)} [${low.toFixed(digits)}–${high.toFixed(digits)}]`
  console.log('kind of text             characters  estimate/o200k  p95 of 4 KB  (chars/4)')
  for (const { name, characters, fitted, bias, p95, quarter } of kinds) {
    const error = p95 === undefined ? '–' : `${(p95 * 100).toFixed(1)}%`
    const cells = [characters.toString().padStart(10), bias.toFixed(3).padStart(15)]
    const rest = [error.padStart(12), quarter.toFixed(2).padStart(9)]
    console.log(`${name.padEnd(24)} ${[...cells, ...rest].join(' ')}${fitted ? '  *' : ''}`)
  }
  console.log('* the weights were fitted to text of this source')
  console.log(`estimator ${write(estimator)} MB/s, gpt-tokenizer ${write(tokenizer, 1)} MB/s`)
  console.log(`ratio ${write(ratio)} times`)
  console.log(
    `4 MB session: ASCII ${write(session.ascii, 1)} ms, mixed ${write(session.mixed, 1)} ms`,
  )
}

if (process.argv[1] === import.meta.filename) await benchEstimate()
