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
import { argument, type Command, type ParsedArguments } from '../command.ts'
import type { Io } from '../io.ts'
import { bar } from '../terminal/table.ts'
import { clipColumns } from '../terminal/columns.ts'
import { statusLine } from '../terminal/status-line.ts'
import { inPieces } from '../terminal/turn.ts'

export const exportCommand: Command = {
  name: 'export',
  description: [
    'Writes one line for each entry. throughline import recreates the same session from these lines in any store, entry for entry, including its compactions, undo and refs. compact and report can also read them.',
  ],
  arguments: [storedSessionArgument],
  options: {
    '-o, --output FILE': 'Write to this file instead of standard output: all of it or nothing.',
    ...storeOptions,
  },
  examples: {
    'throughline export made -o made.jsonl': 'Save the session in a file.',
    'throughline export made': 'Print it.',
  },
  run: runExport,
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

const barWidth = 20

/** Lines in larger pieces, showing progress between any two. */
async function* watched(
  lines: AsyncIterable<string>,
  { name, entries, io }: { name: string; entries: number; io: Io },
): AsyncGenerator<string> {
  const status = statusLine(io, { quiet: io.stdout.isTerminal })
  let count = 0
  const escaped = async function* (): AsyncGenerator<string> {
    for await (const line of lines) {
      count += 1
      yield escapedJson(line)
    }
  }
  try {
    for await (const piece of inPieces(escaped(), io)) {
      yield piece
      await status.show((columns) =>
        clipColumns(`exporting ${bar(count / entries, barWidth)}  ${name}`, columns),
      )
    }
  } finally {
    await status.clear()
  }
}
