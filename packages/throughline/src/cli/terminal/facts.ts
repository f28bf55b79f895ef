import { wrap } from './wrap.ts'
import type { Paint } from './colour.ts'

/** A name and what there is to say about it; `undefined` where there is nothing. */
export type Fact = readonly [name: string, text: string | undefined]

/** Facts below each other, their texts in one column. */
export function factLines(
  facts: readonly Fact[],
  { width, paint, indent = 0 }: { width: number; paint: Paint; indent?: number },
): string[] {
  const shown = facts.filter(([, text]) => text !== undefined)
  const widest = shown.reduce((most, [name]) => Math.max(most, name.length), 0)
  const margin = ' '.repeat(indent)
  return shown.flatMap(([name, text]) =>
    wrap(text ?? '', width - indent - widest - 2).map((line, number) => {
      const label = (number === 0 ? name : '').padEnd(widest)
      return `${margin}${paint('dim', label)}  ${line}`
    }),
  )
}
