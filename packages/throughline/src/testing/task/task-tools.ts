import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { resolve, sep } from 'node:path'

/** A tool in a form that every framework can use. */
export interface TaskTool {
  name: string
  description: string
  /** A JSON schema. */
  inputSchema: {
    type: 'object'
    properties: Record<string, { type: 'string'; description: string }>
    required: string[]
    additionalProperties: false
  }
  /** Never throws: errors are reported to the model. */
  execute: (input: unknown) => Promise<string>
}

/** Tools that really read, edit and run commands in this folder. */
export function taskTools(folder: string): TaskTool[] {
  return [
    tool('read', 'Reads a file.', ['path'], async ({ path }) =>
      readFile(inside(folder, path), 'utf8'),
    ),
    tool(
      'edit',
      'Replaces a text in a file, which must be there once.',
      ['path', 'old', 'new'],
      async ({ path, old, new: replacement }) => {
        const file = inside(folder, path)
        const text = await readFile(file, 'utf8')
        const times = text.split(old).length - 1
        if (times !== 1) throw new Error(`${path} has this text ${times} times, and not once.`)
        await writeFile(
          file,
          text.replace(old, () => replacement),
        )
        return `The file ${path} has been changed.`
      },
    ),
    tool(
      'shell',
      'Runs a command in the folder of the project.',
      ['command'],
      async ({ command }) => output(folder, command),
    ),
  ]
}

type Work<Field extends string> = (input: Record<Field, string>) => Promise<string>

function tool<Field extends string>(
  name: string,
  description: string,
  fields: Field[],
  work: Work<Field>,
): TaskTool {
  const properties = Object.fromEntries(
    fields.map((field) => [field, { type: 'string' as const, description: `The ${field}.` }]),
  )
  return {
    name,
    description,
    inputSchema: { type: 'object', properties, required: fields, additionalProperties: false },
    execute: async (input) => {
      try {
        return await work(textsOf(input, fields))
      } catch (error) {
        return `Error: ${error instanceof Error ? error.message : String(error)}`
      }
    },
  }
}

function textsOf<Field extends string>(input: unknown, fields: Field[]): Record<Field, string> {
  const texts: Partial<Record<Field, string>> = {}
  for (const field of fields) {
    const value: unknown = Reflect.get(Object(input), field)
    if (typeof value !== 'string') throw new TypeError(`${field} must be a text.`)
    texts[field] = value
  }
  return texts as Record<Field, string>
}

function inside(folder: string, path: string): string {
  const file = resolve(folder, path)
  if (!file.startsWith(folder + sep)) throw new Error(`${path} is not in the project.`)
  return file
}

// Milliseconds that a command may take.
const patience = 120_000

async function output(folder: string, command: string): Promise<string> {
  return new Promise((resolve) => {
    execFile('/bin/sh', ['-c', command], { cwd: folder, timeout: patience }, (error, out, err) => {
      const code = error ? `[exit code ${error.code ?? 'none'}]` : ''
      resolve([out, err, code].filter((text) => text !== '').join('\n') || '[no output]')
    })
  })
}
