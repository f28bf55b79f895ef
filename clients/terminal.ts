import { execFile, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { mkdir } from 'node:fs/promises'
import { promisify } from 'node:util'
import { environmentOf } from './run-client.ts'

/** A program on a terminal of its own, as a person sees and uses it. */
interface Terminal {
  /** What is on the screen now, without colours. */
  screen: () => Promise<string>
  type: (text: string) => Promise<void>
  /** Presses keys by tmux's names for them, such as `Enter` and `C-c`. */
  press: (...keys: string[]) => Promise<void>
  /** Waits until the screen shows this and no longer changes, and returns the screen. */
  shows: (words: RegExp) => Promise<string>
  close: () => Promise<void>
}

interface Shown {
  /** In the words of a shell. */
  line: string
  home: string
  directory: string
  env: Record<string, string>
}

const width = 120
const height = 50
const patience = 120_000
const betweenLooks = 400
// A client that still loads a session drops what is typed, or keeps it and does not take Enter.
const betweenTries = 4_000

const pause = (time: number) => new Promise((resolve) => setTimeout(resolve, time))

/** Whether there is anything here that can draw a terminal. */
export const hasTerminals = spawnSync('tmux', ['-V']).status === 0

/** Starts a program in tmux, with nothing of the caller's environment except the path. */
async function openTerminal({ line, home, directory, env }: Shown): Promise<Terminal> {
  const socket = join(home, 'terminal')
  const temporary = join(home, 'tmp')
  await mkdir(temporary, { recursive: true })
  const tmux = async (...args: string[]): Promise<string> => {
    const own = ['-S', socket, '-f', '/dev/null', ...args]
    const { stdout } = await promisify(execFile)('tmux', own, {
      env: { ...environmentOf(home, env), TERM: 'xterm-256color' },
    })
    return stdout
  }
  const size = ['-x', `${width}`, '-y', `${height}`]
  const set = ['remain-on-exit', 'extended-keys', 'focus-events'].flatMap((name) =>
    `; set-option -g ${name} on`.split(' '),
  )
  await tmux('new-session', '-d', ...size, '-c', directory, 'sh', '-c', line, ...set)
  const screen = (): Promise<string> => tmux('capture-pane', '-p')
  const type = async (text: string): Promise<void> => {
    await tmux('send-keys', '-l', '--', text)
  }
  const press = async (...keys: string[]): Promise<void> => {
    await tmux('send-keys', ...keys)
  }
  const shows = async (words: RegExp): Promise<string> => {
    const until = performance.now() + patience
    let before = ''
    for (;;) {
      const now = await screen()
      if (words.test(now) && now === before) return now
      if (performance.now() > until) throw new Error(`it does not show ${words}`)
      before = now
      await pause(betweenLooks)
    }
  }
  return {
    screen,
    type,
    press,
    shows,
    close: async () => void (await tmux('kill-server')),
  }
}

interface Asked {
  prompt: string
  isSent: () => boolean
  answer: string
}

/**
 * Starts a client on a terminal, types a prompt once it is taken, presses Enter until it is sent, and
 * returns the last screen, and what it should show and does not.
 */
export async function askOnTerminal(
  shown: Shown,
  { prompt, isSent, answer }: Asked,
): Promise<{ screen: string; problem?: string }> {
  const terminal = await openTerminal(shown)
  const { screen, type, press, shows } = terminal
  try {
    await shows(/\S/)
    const until = performance.now() + patience
    while (!isSent()) {
      const now = await screen()
      if (performance.now() > until) return { screen: now, problem: 'the prompt was not sent' }
      if (!now.includes(prompt)) await type(prompt)
      await pause(betweenTries)
      await press('Enter')
      await pause(betweenTries)
    }
    return { screen: await shows(new RegExp(answer)) }
  } catch (error) {
    return { screen: await screen(), problem: (error as Error).message }
  } finally {
    await terminal.close()
  }
}
