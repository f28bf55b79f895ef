import { wrap } from './columns.ts'
import type { Paint } from './colour.ts'

/** A name and its value; `undefined` if there is nothing to say. */
export type Fact = readonly [name: string, text: string | undefined]

/** Facts listed below each other, with their texts in one column. */
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
