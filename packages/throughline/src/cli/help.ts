import { shownArgument } from './parse-arguments.ts'
import { wrap } from './terminal/columns.ts'
import type { Command, Options } from './command.ts'

export function commandHelp(command: Command): string {
  const { name, description, options, examples } = command
  return [
    `Usage: ${['throughline', name, ...command.arguments.map(shownArgument), '[options]'].join(' ')}`,
    '',
    ...description.flatMap((paragraph) => [...wrap(paragraph, 80), '']),
    'Options:',
    ...optionLines({ ...options, '-h, --help': 'Show this help.' }),
    '',
    'Examples:',
    ...Object.entries(examples).flatMap(([call, does]) => [`  ${call}`, `      ${does}`]),
    '',
  ].join('\n')
}

function optionLines(options: Options): string[] {
  const names = Object.keys(options).map((shown) =>
    shown.startsWith('--') ? `    ${shown}` : shown,
  )
  const widest = Math.max(...names.map((name) => name.length))
  return Object.values(options).flatMap((help, index) =>
    wrap(help, 80 - widest - 4).map(
      (line, number) => `  ${(number === 0 ? (names[index] ?? '') : '').padEnd(widest)}  ${line}`,
    ),
  )
}
