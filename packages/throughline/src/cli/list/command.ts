import { configurationFor } from '../config/options.ts'
import { exitCodes } from '../exit-code.ts'
import { findFound } from '../found/find-found.ts'
import { safeJson } from '../safe-json.ts'
import { listJson } from './list-json.ts'
import { listLines } from './list-lines.ts'
import { rowsOf } from './rows-of.ts'
import { listOptions, listSettings } from './settings.ts'
import type { Command, ParsedArguments } from '../command.ts'
import type { Io } from '../io.ts'

export const listCommand: Command = {
  name: 'list',
  group: 'Sessions of harnesses',
  summary: 'List the sessions of every harness on this machine, the newest first.',
  description: [
    'Lists the sessions that Claude Code, Codex, opencode, pi, Copilot CLI, Gemini CLI and Qwen Code keep on this machine: when each was last written, how large it is, how many tokens its next request holds and how full the window is by that, what its human said first, and in which directory. The first column names a session to any other command.',
    'Of each session only the beginning and the end are read. Tokens are what the provider counted last; with a ~ before them they are estimated. Where nothing tells, there is a –.',
  ],
  arguments: [
    {
      name: 'harness',
      give: 'one of claude-code, codex, opencode, pi, copilot-cli, gemini-cli, qwen-code',
      optional: true,
    },
  ],
  options: listOptions,
  examples: [
    { command: 'throughline list', does: 'See the newest sessions of all harnesses.' },
    { command: 'throughline list codex -n 5', does: 'The five newest of Codex.' },
    { command: 'throughline list --all --json', does: 'All of them, for a program.' },
  ],
  run: runList,
}

async function runList(parsed: ParsedArguments, io: Io): Promise<number> {
  const { harnesses, limit } = listSettings(parsed)
  const configuration = await configurationFor('list', parsed, io)
  const { sessions: all, unreadable } = await findFound(harnesses, io)
  const rows = await rowsOf(all, { limit, configuration, unreadable }, io)
  const text = parsed.flags.has('json')
    ? safeJson(listJson(rows, all.length, unreadable))
    : listLines({ rows, all, unreadable, now: Date.now() }, io).join('\n')
  await io.stdout.write(`${text}\n`)
  return exitCodes.done
}
