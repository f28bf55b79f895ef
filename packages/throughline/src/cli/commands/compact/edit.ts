import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sanitize, sanitizeLine } from '../../../log/sanitize.ts'
import { CommandError } from '../../errors.ts'
import { runAttached } from '../../terminal/attached.ts'
import type { Plugin } from '../../../session/plugins/plugin.ts'
import type { Io } from '../../io.ts'
import type { Compacted } from './work.ts'

/** A summary that the user edits: opened in the editor once, and then checked as any other. */
export interface Editing {
  plugin: Plugin
  /** What was wrong with the text, and where it is; throws in place of a compaction without it. */
  check: (compacted: Compacted) => Promise<void>
}

const name = 'your edit'

/**
 * Opens the summary in the user's editor before it counts.
 * @throws CommandError if there is no editor.
 */
export function editing(io: Io): Editing {
  const editor = editorIn(io)
  let edited: { text: string; file: string } | undefined
  return {
    plugin: {
      name,
      async afterSummary({ summary }) {
        edited ??= await edit(summary, editor, io)
        return edited.text
      },
    },
    async check({ result }) {
      const { pluginErrors } = result
      const refused = pluginErrors.find((error) => error.message.includes(name))
      if (refused) {
        if (refused.cause instanceof CommandError) throw refused.cause
        const where = edited ? ` Your text is in ${edited.file}.` : ''
        const said = refused.cause instanceof Error ? refused.cause.message : refused.message
        const why = sanitizeLine(said).replace(/^its /, 'your ').replace(/\.?$/, '.')
        throw new CommandError(`--edit: ${why}${where} Nothing was changed.`, {
          cause: refused,
        })
      }
      if (edited) await rm(join(edited.file, '..'), { recursive: true, force: true })
    },
  }
}

/** @throws CommandError if the editor fails, or nothing is left of the text. */
async function edit(
  summary: string,
  [program = '', ...given]: readonly string[],
  io: Io,
): Promise<{ text: string; file: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'throughline-edit-'))
  const file = join(folder, 'SUMMARY.md')
  await writeFile(file, sanitize(summary), { mode: 0o600 })
  const options = { program, arguments: [...given, file], directory: io.cwd, variables: io.env }
  const code = await runAttached(options).catch((cause: unknown) => {
    throw new CommandError(
      `the editor ${sanitizeLine(program)} could not be started: nothing was changed. Set EDITOR to one that can.`,
      {
        cause,
      },
    )
  })
  const text = await readFile(file, 'utf8').catch(() => '')
  if (code !== 0 || text.trim() === '') {
    await rm(folder, { recursive: true, force: true })
    const why = code === 0 ? 'the summary is empty' : `the editor ended with ${code}`
    throw new CommandError(`${why}: nothing was changed.`)
  }
  // As it was, but for characters that no terminal should print.
  return { text: text.trim() === sanitize(summary).trim() ? summary : text, file }
}

function editorIn({ env, stdin }: Io): string[] {
  const named = env['VISUAL'] || env['EDITOR']
  const words = named?.split(' ').filter((word) => word !== '') ?? []
  if (words.length > 0) return words
  if (!stdin.isTerminal) throw new CommandError('--edit needs an editor: set EDITOR.')
  return [process.platform === 'win32' ? 'notepad' : 'vi']
}
