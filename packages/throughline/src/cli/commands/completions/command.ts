import { suggestions } from './suggest.ts'
import { argument, restOf, type Command, type ParsedArguments, type Listed } from '../../command.ts'
import { exitCodes } from '../../errors.ts'
import { notOneOf, usage } from '../../parse-arguments.ts'
import { scripts } from './scripts.ts'
import type { Io } from '../../io.ts'

const shells = Object.keys(scripts) as (keyof typeof scripts)[]

/** It completes the commands of this list, which has it, too. */
export const completionsFor = (commands: readonly Listed[]): Command => ({
  name: 'completions',
  description: [
    'Prints a script that lets your shell complete commands, options and the sessions that there are.',
    'For bash, add this to ~/.bashrc: eval "$(throughline completions bash)". For zsh, add the same line with zsh instead of bash to ~/.zshrc, after compinit. For fish: throughline completions fish > ~/.config/fish/completions/throughline.fish',
  ],
  arguments: [
    { name: 'shell', give: 'bash, zsh or fish' },
    { name: 'words', give: 'the words so far', rest: true, optional: true, blank: true },
  ],
  options: {},
  examples: {
    'throughline completions bash': 'Print the script for bash.',
    'throughline completions suggest -- compact --f':
      'Print the words that may come next, as the script does.',
  },
  run: (parsed, io) => runCompletions(commands, parsed, io),
})

async function runCompletions(
  commands: readonly Listed[],
  parsed: ParsedArguments,
  io: Io,
): Promise<number> {
  const asked = argument(parsed, 'shell')
  const words = restOf(parsed, 'words')
  if (asked === 'suggest') {
    const lines = (await suggestions(commands, words, io)).map(
      ({ word, means }) => `${word}\t${means}\n`,
    )
    await io.stdout.write(lines.join(''))
    return exitCodes.done
  }
  const shell = shells.find((each) => each === asked)
  if (!shell) throw notOneOf('completions', 'the shell', asked, shells)
  if (words.length > 0) throw usage('completions', 'the script takes no words')
  await io.stdout.write(scripts[shell])
  return exitCodes.done
}
