import { styleText } from 'node:util'
import type { Io, Output } from '../io.ts'

type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan'
export type Paint = (style: Style, text: string) => string

/** Colors for a terminal; FORCE_COLOR and NO_COLOR override everything, in this order. */
export function paintFor(output: Output, env: Io['env']): Paint {
  return hasColour(output, env)
    ? (style, text) => styleText(style, text, { validateStream: false })
    : (_, text) => text
}

function hasColour(output: Output, env: Io['env']): boolean {
  const forced = env['FORCE_COLOR']
  if (forced !== undefined && forced !== '') return forced !== '0' && forced !== 'false'
  if (env['NO_COLOR']) return false
  return output.isTerminal && env['TERM'] !== 'dumb'
}

/** Whether a line can be redrawn in place. */
export function canRedraw(output: Output, env: Io['env']): boolean {
  return output.isTerminal && env['TERM'] !== 'dumb'
}

/** How text may be drawn on an output. */
export interface Screen {
  width: number
  /** Bars and charts are drawn where lines can be redrawn, too. */
  bars: boolean
  paint: Paint
}

export function screenOf(output: Output, env: Io['env']): Screen {
  return { width: output.columns(), bars: canRedraw(output, env), paint: paintFor(output, env) }
}
