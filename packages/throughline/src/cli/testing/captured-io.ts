import { tmpdir } from 'node:os'
import { ClosedPipeError } from '../errors.ts'
import type { Io, Output } from '../io.ts'

/** What a test uses in place of the process, and what was written to it. */
export interface CapturedIo {
  io: Io
  out: () => string
  err: () => string
  interrupt: () => void
}

export interface Setting {
  /** The content of standard input. */
  input?: string | Uint8Array
  /** Standard output and standard error are a terminal of this width. */
  terminal?: number
  /** What somebody types there; standard input is a terminal, too. */
  typed?: string
  /** Which line somebody chooses there, of those that are shown. */
  chosen?: (
    lines: readonly string[],
    question: string,
    words?: readonly string[],
  ) => number | undefined
  env?: Record<string, string>
  /** The working directory; by default one without any of the developer's files. */
  cwd?: string
  /** After this many writes, the reader of standard output is gone. */
  closedAfter?: number
  /** Called with everything that is written to standard error. */
  onErr?: (text: string) => void
  /** Somebody presses Ctrl-C when standard error says this. */
  interruptedAt?: string
}

export function capturedIo(setting: Setting = {}): CapturedIo {
  const {
    typed,
    chosen,
    input = typed ?? '',
    terminal,
    env = {},
    cwd = tmpdir(),
    closedAfter = Infinity,
    onErr,
    interruptedAt,
  } = setting
  const out: string[] = []
  const err: string[] = []
  const controller = new AbortController()
  const told = (text: string): void => {
    onErr?.(text)
    if (interruptedAt !== undefined && text.includes(interruptedAt)) controller.abort()
  }
  let rest = input
  let time = 0
  const output = (texts: string[], most: number, told?: (text: string) => void): Output => {
    const write = async (text: string): Promise<void> => {
      if (texts.length >= most) throw new ClosedPipeError()
      texts.push(text)
      told?.(text)
    }
    const isTerminal = terminal !== undefined
    const page: Output['page'] = async (text, head) => {
      await head?.to.write(head.text)
      await write(text)
    }
    return { isTerminal, columns: () => terminal ?? 120, write, page }
  }
  const io: Io = {
    stdin: {
      isTerminal: typed !== undefined || chosen !== undefined,
      choose: async (question, lines, words) => chosen?.(lines, question, words),
      chunks: () => chunksOf(rest),
      hiddenLine: async (question) => {
        err.push(question)
        const text = String(rest)
        const end = text.indexOf('\n')
        if (end < 0) return undefined
        rest = text.slice(end + 1)
        return text.slice(0, end)
      },
    },
    stdout: output(out, closedAfter),
    stderr: output(err, Infinity, told),
    env,
    cwd,
    signal: controller.signal,
    endingAtOnce: async (work) => work(),
    endingInTurn: async (work) => work(),
    // Time advances each time it is read, so that whatever waits for it gets its turn.
    now: () => (time += 20),
  }
  return {
    io,
    out: () => out.join(''),
    err: () => err.join(''),
    interrupt: () => controller.abort(),
  }
}

async function* chunksOf(input: string | Uint8Array): AsyncGenerator<Uint8Array> {
  const bytes = typeof input === 'string' ? new TextEncoder().encode(input) : input
  for (let start = 0; start < bytes.length; start += 65_536) {
    yield bytes.subarray(start, start + 65_536)
  }
}
