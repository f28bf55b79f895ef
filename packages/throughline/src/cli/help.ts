import { shownArgument } from './parse-arguments.ts'
import { wrap } from './terminal/columns.ts'
import type { Command, OptionSpec } from './command.ts'

const helpOption: OptionSpec = { name: 'help', short: 'h', help: 'Show this help.' }

/** The help of one subcommand. */
export function commandHelp(command: Command): string {
  const { name, description, options, examples } = command
  return [
    `Usage: ${['throughline', name, ...command.arguments.map(shownArgument), '[options]'].join(' ')}`,
    '',
    ...description.flatMap((paragraph) => [...wrap(paragraph, 80), '']),
    'Options:',
    ...optionLines([...options, helpOption]),
    '',
    'Examples:',
    ...examples.flatMap(({ command, does }) => [`  ${command}`, `      ${does}`]),
    '',
  ].join('\n')
}

function optionLines(options: readonly OptionSpec[]): string[] {
  const names = options.map(optionName)
  const widest = Math.max(...names.map((name) => name.length))
  return options.flatMap(({ help }, index) =>
    wrap(help, 80 - widest - 4).map(
      (line, number) => `  ${(number === 0 ? (names[index] ?? '') : '').padEnd(widest)}  ${line}`,
    ),
  )
}

function optionName({ name, short, value }: OptionSpec): string {
  const long = value === undefined ? `--${name}` : `--${name} ${value}`
  return short === undefined ? `    ${long}` : `-${short}, ${long}`
}
