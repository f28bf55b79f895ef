import { styleText } from 'node:util'
import { formatTokens } from '../../../tokens/windows.ts'
import { whenText } from '../../terminal/when.ts'
import type { SessionState } from './payload.ts'

type Env = Readonly<Record<string, string | undefined>>

const cells = 10

/** The line. A client shows it in its own terminal, so it has colours wherever they are not refused. */
export function statusText(state: SessionState, now: number, env: Env): string {
  const parts = [
    fullText(state, env),
    leftText(state),
    dollarText(state.dollars),
    compactedText(state, now),
  ]
  const text = parts.filter((part) => part !== undefined).join(' · ')
  return text === '' ? 'no answer yet' : text
}

function fullText({ tokens, window, compactsAt, compacted }: SessionState, env: Env) {
  if (window === undefined) return tokens === undefined ? undefined : formatTokens(tokens)
  if (tokens === undefined) {
    return compacted ? `just compacted, of ${formatTokens(window)}` : undefined
  }
  const share = tokens / window
  const filled = Math.min(cells, Math.round(share * cells))
  const bar = '▰'.repeat(filled) + '▱'.repeat(cells - filled)
  const urgent = tokens / (compactsAt ?? window)
  const colour = urgent >= 0.9 ? 'red' : urgent >= 0.7 ? 'yellow' : 'green'
  const shown = `${bar} ${Math.round(share * 100)}%`
  const painted = isPlain(env) ? shown : styleText(colour, shown, { validateStream: false })
  return `${painted} of ${formatTokens(window)}`
}

function isPlain(env: Env): boolean {
  return Boolean(env['NO_COLOR']) || env['TERM'] === 'dumb' || env['FORCE_COLOR'] === '0'
}

function leftText({ tokens, compactsAt }: SessionState): string | undefined {
  if (tokens === undefined || compactsAt === undefined) return undefined
  const left = compactsAt - tokens
  return left > 0 ? `${formatTokens(left)} to compaction` : 'compaction is due'
}

/** An amount of money: whole cents, and less than one as such. */
function dollarText(dollars: number | undefined): string | undefined {
  if (dollars === undefined) return undefined
  return dollars > 0 && dollars < 0.01 ? '<$0.01' : `$${dollars.toFixed(2)}`
}

function compactedText({ compacted }: SessionState, now: number): string | undefined {
  if (!compacted || !Number.isFinite(compacted.at)) return undefined
  const from = compacted.from === undefined ? '' : ` from ${formatTokens(compacted.from)}`
  return `compacted ${whenText(compacted.at, now)}${from}`
}
