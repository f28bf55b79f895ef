import { resume, type ResumeSettings } from './resume.ts'
import { configOptions, storeOption } from '../../configuration.ts'
import { argument, type Command, type Options, type ParsedArguments } from '../../command.ts'
import { usage } from '../../parse-arguments.ts'
import { tokenOption } from '../../sizes/window-choice.ts'
import { destinationNamed, harnessNames } from '../../written/handover.ts'

const options: Options = {
  '--in CLIENT': `The client that continues the session: ${harnessNames.join(', ')}. Default: the client that it comes from.`,
  '--keep TOKENS':
    'The largest size of the compacted session, such as 8k. With this option, the session is always compacted.',
  '--focus TEXT': 'The topic that the summary should cover in most detail.',
  '--window TOKENS':
    'The window to fit. Default: the one that the session recorded, else its model’s, else 200k; for another client, at most 200k.',
  '--directory DIR':
    'The directory in which the session continues. Default: its own if it exists here, else the working directory.',
  '--print': 'Print the commands that continue it, and do not start the client.',
  '--json': 'Print one JSON object instead, and do not start the client.',
  ...storeOption,
  ...configOptions,
}

/** @throws UsageError */
function resumeSettings(parsed: ParsedArguments): ResumeSettings {
  const { values, flags } = parsed
  const client = values.get('in')
  if (client !== undefined && client === '') throw usage('resume', '--in needs a client')
  return {
    session: argument(parsed, 'session'),
    client:
      client === undefined ? undefined : destinationNamed('resume', '--in', client, harnessNames),
    window: tokenOption('resume', 'window', values.get('window')),
    keep: tokenOption('resume', 'keep', values.get('keep')),
    focus: values.get('focus'),
    directory: values.get('directory'),
    print: flags.has('print'),
    json: flags.has('json'),
  }
}

export const resumeCommand: Command = {
  name: 'resume',
  description: [
    'Continues a session that ran out of room, in its own client or in another one. A session that fills more than half of its window is compacted into a new one: a summary and the newest messages word for word. No model is called. The command puts the new session where the client finds it, and starts the client with it. The original session is not changed.',
    'Without an argument, you choose from the sessions of this machine in a terminal. If there is no terminal, the newest session of the working directory is used.',
  ],
  arguments: [
    {
      name: 'session',
      give: 'the path of its file, the name of a stored session, latest, or an id from throughline list',
      optional: true,
    },
  ],
  options,
  examples: {
    'throughline resume': 'Choose a session and continue it.',
    'throughline resume claude:latest': 'Continue the newest Claude Code session.',
    'throughline resume claude:latest --in codex':
      'Continue the newest Claude Code session in Codex.',
    'throughline resume latest --keep 8k --print':
      'Print the command that continues the newest session with at most 8,000 tokens.',
  },
  run: (parsed, io) => resume(resumeSettings(parsed), parsed, io),
}
