import { exportSession } from '../../formats/throughline/export-session.ts'
import { configurationFor } from '../configuration.ts'
import { exitCodes } from '../errors.ts'
import { storeFiles, targetAt, escapedJson } from '../output/target.ts'
import { tellIfReadable } from '../output/readable-by-others.ts'
import { writeTarget } from '../output/write-file.ts'
import { findSession } from '../store/find-session.ts'
import { inStore, storeFile } from '../store/open-store.ts'
import { storedSessionArgument, storeOptions } from '../shared-options.ts'
import { shownName } from '../store/session-name.ts'
import { counted } from '../terminal/numbers.ts'
import { shownPath } from '../paths.ts'
import { usage } from '../parse-arguments.ts'
import { forEachSession } from '../several-sessions.ts'
import { argument, restOf, type Command, type ParsedArguments } from '../command.ts'
import type { Io } from '../io.ts'
import { bar } from '../terminal/table.ts'
import { clipColumns } from '../terminal/columns.ts'
import { statusLine } from '../terminal/status-line.ts'
import { takeTurn } from '../terminal/turn.ts'

export const exportCommand: Command = {
  name: 'export',
  description: [
    'Writes one line for each entry. throughline import recreates the same session from these lines in any store, entry for entry, including its compactions, undo and refs. compact, inspect, replay and show can also read them.',
  ],
  arguments: [{ ...storedSessionArgument, rest: true }],
  options: [
    {
      name: 'output',
      short: 'o',
      value: 'FILE',
      help: 'Write to this file instead of standard output: all of it or nothing. In a directory, the file has the session’s name.',
    },
    ...storeOptions,
  ],
  examples: [
    { command: 'throughline export made -o made.jsonl', does: 'Save the session in a file.' },
    { command: 'throughline export made', does: 'Print it.' },
    {
      command: 'throughline export made -o .',
      does: 'Save it as made.jsonl. Several sessions are saved in a file each.',
    },
  ],
  run: severalExports,
}

async function severalExports(parsed: ParsedArguments, io: Io): Promise<number> {
  const output = parsed.values.get('output')
  if (restOf(parsed, 'session').length > 1 && (output === undefined || output === '-')) {
    throw usage('export', 'several exports need a directory: use -o')
  }
  const several = { between: 'nothing', ending: '.jsonl' } as const
  return forEachSession('export', parsed, io, runExport, several)
}

async function runExport(parsed: ParsedArguments, io: Io): Promise<number> {
  const output = parsed.values.get('output')
  const configuration = await configurationFor('export', parsed, io)
  const target =
    output === undefined || output === '-'
      ? undefined
      : await targetAt(output, storeFiles(storeFile(configuration)), io.cwd)
  return inStore(configuration, io, async (store) => {
    const { id, newest } = await findSession(store, argument(parsed, 'session'), io)
    const pieces = watched(exportSession(store, id), { name: shownName(id), entries: newest, io })
    if (!target) {
      for await (const piece of pieces) await io.stdout.write(piece)
      return exitCodes.done
    }
    await writeTarget(target, pieces)
    await tellIfReadable(target.path, io)
    const entries = counted(newest, 'entry', 'entries')
    await io.stderr.write(`Exported ${shownName(id)}, ${entries}, to ${shownPath(target.name)}.\n`)
    return exitCodes.done
  })
}

interface Watched {
  name: string
  entries: number
  io: Io
}

// How much is written at once.
const piece = 256 * 1024
const barWidth = 20

/** Lines joined into larger pieces, checking for Ctrl-C and showing progress between them. */
async function* watched(
  lines: AsyncIterable<string>,
  { name, entries, io }: Watched,
): AsyncGenerator<string> {
  const status = statusLine(io, { quiet: io.stdout.isTerminal })
  let text = ''
  let count = 0
  try {
    for await (const line of lines) {
      text += escapedJson(line)
      count += 1
      if (text.length < piece) continue
      yield text
      text = ''
      await takeTurn(io)
      await status.show((columns) =>
        clipColumns(`exporting ${bar(count / entries, barWidth)}  ${name}`, columns),
      )
    }
    if (text !== '') yield text
  } finally {
    await status.clear()
  }
}
