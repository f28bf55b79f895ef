import { sanitizeLine } from '../../log/sanitize.ts'
import { factLines } from '../terminal/facts.ts'
import { withThousands } from '../terminal/numbers.ts'
import { table } from '../terminal/table.ts'
import { formatTokens } from '../../tokens/windows.ts'
import { sourceText } from './source-text.ts'
import type { Lookup } from '../../config/load-config.ts'
import type { Paint } from '../terminal/colour.ts'
import type { WindowChoice } from '../window-choice.ts'
import type { InForce } from './in-force.ts'

/** What a configuration comes to, and where it was looked for. */
export interface Shown {
  lookups: readonly Lookup[]
  model: string | undefined
  choice: WindowChoice
  values: readonly InForce[]
  /** Whose values those are that nobody set. */
  preset: string
}

interface Page {
  width: number
  paint: Paint
  /** A path as its reader would write it. */
  pathText: (path: string) => string
}

export function configLines(
  { lookups, model, choice, values, preset }: Shown,
  { width, paint, pathText }: Page,
): string[] {
  const facts = lookups.map(
    ({ where, place, file }) =>
      [places[where], sanitizeLine(file ? place : `none, looked in ${place}`)] as const,
  )
  const whose = model === undefined ? 'any model' : sanitizeLine(model)
  const size = `${formatTokens(choice.window.context)} (${sanitizeLine(choice.from)})`
  const rows = values.map((row) =>
    [row.key, valueText(row, pathText), sourceText(row, preset)].map((text) => sanitizeLine(text)),
  )
  return [
    paint('bold', lookups.length === 0 ? 'No configuration file is read' : 'Configuration files'),
    ...factLines(facts, { width, paint, indent: 2 }),
    '',
    paint('bold', `In force for ${whose}, in a window of ${size}`),
    // Half a path or half a value would say something else.
    ...table([{}, {}, {}], rows, Infinity).map((line) => `  ${line}`),
  ]
}

const places: Readonly<Record<Lookup['where'], string>> = {
  asked: 'as asked for',
  upwards: 'here and above',
  user: 'your own',
}

function valueText({ key, value }: InForce, pathText: Page['pathText']): string {
  if (value === null) return 'not set'
  if (key === 'store' && typeof value === 'string') return pathText(value)
  return typeof value === 'number' ? withThousands(value) : String(value)
}
