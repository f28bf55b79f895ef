import { fieldsOf, nameOf, textOf } from '../../json/fields.ts'

/** What a command printed, with the lines that OpenHands puts around it for the model. */
export function commandOutput(content: string, metadata: unknown): string {
  const fields = fieldsOf(metadata)
  if (!fields) return content
  const lines = [
    `${textOf(fields['prefix']) ?? ''}${content}${textOf(fields['suffix']) ?? ''}`,
    line('Current working directory:', nameOf(fields['working_dir'])),
    line('Python interpreter:', nameOf(fields['py_interpreter_path'])),
    line('Command finished with exit code', exitCode(fields['exit_code'])),
  ]
  return lines.filter((text) => text !== undefined).join('\n')
}

function line(name: string, value: string | undefined): string | undefined {
  return value === undefined ? undefined : `[${name} ${value}]`
}

/** −1 stands for a command that still runs. */
function exitCode(value: unknown): string | undefined {
  return typeof value === 'number' && value !== -1 ? String(value) : undefined
}
