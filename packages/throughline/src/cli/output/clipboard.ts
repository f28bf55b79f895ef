import { spawn } from 'node:child_process'
import { findProgram, surroundingsOf } from '../../harnesses/find-program.ts'
import { CommandError } from '../errors.ts'
import type { Io } from '../io.ts'

// What most terminals take in one sequence.
const mostForTerminal = 100_000

/**
 * Puts a text on the clipboard: by the program of this desktop, else through the terminal, which
 * also works over SSH. Returns by what.
 * @throws CommandError if there is neither.
 */
export async function copyText(text: string, io: Io): Promise<string> {
  for (const [name, ...given] of toolsFor(io.env)) {
    const program = name && (await findProgram(name, surroundingsOf(io.env)))
    if (program && (await fed(program, given, text, io))) return name
  }
  const base64 = Buffer.from(text).toString('base64')
  if (io.stderr.isTerminal && io.env['TERM'] !== 'dumb' && base64.length <= mostForTerminal) {
    await io.stderr.write(`\x1b]52;c;${base64}\x07`)
    return 'the terminal'
  }
  throw new CommandError(
    io.stderr.isTerminal && base64.length > mostForTerminal
      ? 'this is too long for the terminal’s clipboard, and no clipboard program was found. Use -o FILE, or --keep less.'
      : 'there is no clipboard here. Install wl-copy, xclip or xsel, or use -o FILE.',
  )
}

type Tool = readonly [name: string, ...given: string[]]

function toolsFor(env: Io['env']): Tool[] {
  if (process.platform === 'darwin') return [['pbcopy']]
  if (process.platform === 'win32') return [['clip']]
  return [
    ...(env['WAYLAND_DISPLAY'] ? ([['wl-copy']] as Tool[]) : []),
    ...(env['DISPLAY']
      ? ([
          ['xclip', '-selection', 'clipboard'],
          ['xsel', '--clipboard', '--input'],
        ] as Tool[])
      : []),
    // Passes it on to the terminal.
    ...(env['TMUX'] ? ([['tmux', 'load-buffer', '-w', '-']] as Tool[]) : []),
    // On Windows, from inside its Linux.
    ...(env['WSL_DISTRO_NAME'] ? ([['clip.exe']] as Tool[]) : []),
  ]
}

function fed(program: string, given: readonly string[], text: string, { env }: Io) {
  return new Promise<boolean>((resolve) => {
    const child = spawn(program, given, { env: { ...env }, stdio: ['pipe', 'ignore', 'ignore'] })
    child.on('error', () => resolve(false))
    child.on('exit', (code) => resolve(code === 0))
    child.stdin.on('error', () => {})
    child.stdin.end(text)
  })
}
