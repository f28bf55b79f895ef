import { Bar } from './bar.tsx'
import { percent } from './numbers.ts'
import { kindNames } from './words.ts'
import { kinds, type KindTokens } from '../src/report/model.ts'

/** What something consists of, the largest first: a bar, and a list that says the same. */
export function KindShares(props: {
  of: KindTokens
  text: (size: number) => string
  /** Kinds of less than this are left out. */
  least: number
  /** The length of the bar, where it is longer than what fills it. */
  room?: number
}) {
  const { of, text, least, room } = props
  const largest = kinds
    .map((kind) => ({ kind, tokens: of[kind] }))
    .filter(({ tokens }) => tokens > 0 && tokens >= least)
    .sort((one, other) => other.tokens - one.tokens)
  const whole = kinds.reduce((sum, kind) => sum + of[kind], 0)
  return (
    <>
      <Bar
        whole={room ?? whole}
        stretches={largest.map(({ kind, tokens }) => ({
          look: `kind-${kind}`,
          name: kindNames[kind],
          tokens,
        }))}
      />
      <ul class="shares">
        {largest.map(({ kind, tokens }) => (
          <li>
            <i class={`swatch kind-${kind}`} />
            <span>{kindNames[kind]}</span>
            <b>{text(tokens)}</b>
            <em>{percent(tokens, whole)}</em>
          </li>
        ))}
      </ul>
    </>
  )
}
