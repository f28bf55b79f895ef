import { configurationFor } from '../../configuration.ts'
import { argument, type Command, type ParsedArguments } from '../../command.ts'
import { usage } from '../../parse-arguments.ts'
import { jsonOption, storeOptions } from '../../shared-options.ts'
import { filterOptions, filtersIn } from '../../source/filters.ts'
import { printResult } from '../../store/result.ts'
import { importAll } from './import-all.ts'
import { importOne } from './import-one.ts'
import type { Io } from '../../io.ts'

export const importCommand: Command = {
  name: 'import',
  description: [
    'Reads a session of any supported client, or the output of throughline export, and saves it in the store: every message unchanged, with the system prompt, model, window and directory that the file names. The entries have the same refs as in the file. The file itself is not changed.',
    'With --all, archives the sessions of every client on this machine, before a client deletes them. Claude Code does so after 30 days. Run the command again to add what is new.',
    'If the session is already in the store, only what is new is added. If the two versions have diverged, nothing is changed.',
  ],
  arguments: [
    {
      name: 'session',
      give: 'the path of its file, - for standard input, or an id from throughline list; or --all',
      optional: true,
    },
  ],
  options: {
    '--all': 'Import the sessions of every client on this machine, or what is new in them.',
    ...filterOptions,
    '--as NAME':
      'The session’s name in the store. Default: the id that its client gave it, else the name of its file.',
    ...jsonOption,
    ...storeOptions,
  },
  examples: {
    'throughline import session.jsonl': 'Save the session in the store.',
    'throughline import session.jsonl --as parser-work': 'Save it under a name that you choose.',
    'throughline import latest': 'Save the newest session of all harnesses on this machine.',
    'throughline import --all':
      'Archive every session of this machine; run it again to add what is new.',
    'throughline import - --as copy < session.jsonl': 'Read the session from standard input.',
  },
  run: runImport,
}

async function runImport(parsed: ParsedArguments, io: Io): Promise<number> {
  checkTogether(parsed)
  if (parsed.flags.has('all')) {
    const filters = filtersIn('import', parsed, io, Date.now())
    const configuration = await configurationFor('import', parsed, io)
    return printResult(await importAll(filters, configuration, io), parsed, io)
  }
  const configuration = await configurationFor('import', parsed, io)
  const name = parsed.values.get('as')
  const result = await importOne(argument(parsed, 'session'), name, configuration, io)
  return printResult(result, parsed, io)
}

/** @throws UsageError */
function checkTogether(parsed: ParsedArguments): void {
  const { values, flags } = parsed
  const isNamed = argument(parsed, 'session') !== ''
  const all = flags.has('all')
  const filter =
    ['in', 'since'].find((option) => values.has(option)) ?? (flags.has('here') && 'here')
  if (all && isNamed) throw usage('import', '--all imports all sessions: name none')
  if (all && values.has('as'))
    throw usage('import', '--all keeps the sessions’ own names: omit --as')
  if (!all && filter)
    throw usage('import', `--${filter} chooses among all sessions: use it with --all`)
  if (!all && !isNamed) {
    throw usage(
      'import',
      'which session? Give the path of its file, - for standard input, or an id from throughline list; or --all',
    )
  }
}
