import { percent } from './numbers.ts'

/** One stretch of a bar. */
export interface Stretch {
  /** The class that colours it. */
  look: string
  name: string
  tokens: number
}

/** Shares of a whole beside each other; a list says the same below it. */
export function Bar({ stretches, whole }: { stretches: readonly Stretch[]; whole: number }) {
  return (
    <svg class="bar" viewBox="0 0 1000 10" preserveAspectRatio="none" aria-hidden="true">
      {placed(stretches, whole).map(({ look, name, tokens, x, width }) => (
        <rect class={look} x={x} y={0} width={width} height={10}>
          <title>{`${name}: ${percent(tokens, whole)}`}</title>
        </rect>
      ))}
    </svg>
  )
}

function placed(stretches: readonly Stretch[], whole: number) {
  let x = 0
  return stretches.map((stretch) => {
    const width = whole > 0 ? (stretch.tokens / whole) * 1000 : 0
    const at = { ...stretch, x, width: Math.max(width - 1, 0.5) }
    x += width
    return at
  })
}
