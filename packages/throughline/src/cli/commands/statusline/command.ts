import type { Command, ParsedArguments } from '../../command.ts'
import { CommandError, exitCodes, InterruptedError } from '../../errors.ts'
import { compactsAt, payloadIn, type SessionState } from './payload.ts'
import { transcriptTail } from './transcript-tail.ts'
import { formatTokens } from '../../../tokens/windows.ts'
import { dollarText, whenText } from '../../terminal/numbers.ts'
import type { Io } from '../../io.ts'

type Env = Readonly<Record<string, string | undefined>>

const cells = 10

/** The line. A client shows it in its own terminal, so it has colours wherever they are not refused. */
function statusText(state: SessionState, now: number, env: Env): string {
  const parts = [
    fullText(state, env),
    leftText(state),
    state.dollars === undefined ? undefined : dollarText(state.dollars),
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
  if (isPlain(env)) return `${shown} of ${formatTokens(window)}`
  const { styleText } = process.getBuiltinModule('node:util')
  const painted = styleText(colour, shown, { validateStream: false })
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

function compactedText({ compacted }: SessionState, now: number): string | undefined {
  if (!compacted || !Number.isFinite(compacted.at)) return undefined
  const from = compacted.from === undefined ? '' : ` from ${formatTokens(compacted.from)}`
  return `compacted ${whenText(compacted.at, now)}${from}`
}

export const statuslineCommand: Command = {
  name: 'statusline',
  description: [
    'Prints one line for a client’s status line: how full the window is, as the provider counted it; how many tokens are left until the client compacts by itself; the cost; and the newest compaction. It reads the object that Claude Code, Qwen Code, Copilot CLI and Cursor pass on standard input, and only the end of the session’s file.',
    'For Claude Code, put this into ~/.claude/settings.json: "statusLine": {"type": "command", "command": "throughline statusline"}',
  ],
  arguments: [],
  options: { '--json': 'Print one JSON object instead.' },
  examples: {
    'throughline statusline < status.json': 'What a client runs.',
  },
  run: runStatusline,
}

async function runStatusline(parsed: ParsedArguments, io: Io): Promise<number> {
  const state = await passedState(io)
  const { tokens = null, window = null, dollars = null } = state
  const json = { version: 1, tokens, window, compactsAt: state.compactsAt ?? null, dollars }
  const compacted = state.compacted ? { ...state.compacted } : null
  const text = parsed.flags.has('json')
    ? JSON.stringify({ ...json, compacted })
    : statusText(state, Date.now(), io.env)
  await io.stdout.write(`${text}\n`)
  return exitCodes.done
}

async function passedState(io: Io): Promise<SessionState> {
  const payload = payloadIn(await inputOf(io))
  if (!payload) {
    throw new CommandError(
      'statusline reads the JSON object that a client passes to its status line on standard input.',
    )
  }
  const tail = payload.transcript === undefined ? undefined : transcriptTail(payload.transcript)
  const { window, dollars } = payload
  const isClaude =
    /[\\/]\.?claude[\\/]/.test(payload.transcript ?? '') || io.env['CLAUDECODE'] === '1'
  return {
    tokens: payload.tokens ?? tail?.tokens,
    window,
    compactsAt: window === undefined ? undefined : compactsAt(window, isClaude, io.env),
    dollars,
    compacted: tail?.compacted,
  }
}

// Such an object has a few thousand characters.
const longest = 1_000_000

async function inputOf({ stdin, signal }: Io): Promise<string> {
  if (stdin.isTerminal) return ''
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of stdin.chunks()) {
    text += decoder.decode(chunk, { stream: true })
    if (text.length > longest) return ''
    if (signal.aborted) throw new InterruptedError('interrupted.')
  }
  return text
}
