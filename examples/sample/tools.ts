import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { jsonSchema, tool, type Tool, type ToolSet } from 'ai'
import { home, neutral, withoutTimes } from './neutral.ts'

/** Real tools of a coding agent, over a directory that they call by its neutral name. */
export function codingTools(directory: string): ToolSet {
  const real = (path: string): string => {
    if (!path.startsWith(`${home}/`)) throw new Error(`No path in the repository: ${path}`)
    return join(directory, path.slice(home.length))
  }
  return {
    Read: described<{ file_path: string; offset?: number; limit?: number }>(
      'Reads a file, with the numbers of its lines.',
      ['file_path', 'offset', 'limit'],
      async ({ file_path, offset = 1, limit = 2_000 }) => {
        if (!existsSync(real(file_path))) throw new Error('File does not exist.')
        const lines = readFileSync(real(file_path), 'utf8').split('\n')
        return lines
          .slice(offset - 1, offset - 1 + limit)
          .map((line, index) => `${String(offset + index).padStart(6)}→${line}`)
          .join('\n')
      },
    ),
    Write: described<{ file_path: string; content: string }>(
      'Writes a file whole.',
      ['file_path', 'content'],
      async ({ file_path, content }) => {
        const known = existsSync(real(file_path))
        mkdirSync(dirname(real(file_path)), { recursive: true })
        writeFileSync(real(file_path), content)
        return known
          ? `The file ${file_path} has been updated.`
          : `File created successfully at: ${file_path}`
      },
    ),
    Edit: described<{ file_path: string; old_string: string; new_string: string }>(
      'Replaces a text that stands in a file once.',
      ['file_path', 'old_string', 'new_string'],
      async ({ file_path, old_string, new_string }) => {
        const text = readFileSync(real(file_path), 'utf8')
        const parts = text.split(old_string)
        if (parts.length !== 2) {
          throw new Error(`String to replace found ${parts.length - 1} times in file.`)
        }
        writeFileSync(real(file_path), parts.join(new_string))
        return `The file ${file_path} has been updated successfully.`
      },
    ),
    Bash: described<{ command: string; description?: string }>(
      'Runs a command in a shell.',
      ['command', 'description'],
      async ({ command }, signal) => {
        const { code, output } = await shell(command, directory, signal)
        const text = neutral(withoutTimesIf(command, output), directory).trimEnd()
        if (code !== 0) throw new Error(`Exit code ${code}\n${text}`)
        return text
      },
    ),
    TodoWrite: described<{ todos: unknown[] }>(
      'Writes the list of things to do.',
      ['todos'],
      async () =>
        'Todos have been modified successfully. Continue with the current tasks if there are any.',
    ),
  }
}

function withoutTimesIf(command: string, output: string): string {
  return /vitest|oxlint|oxfmt|tsc|node /.test(command) ? withoutTimes(output) : output
}

function described<Input>(
  description: string,
  fields: readonly (keyof Input & string)[],
  execute: (input: Input, signal: AbortSignal | undefined) => Promise<string>,
): Tool {
  const properties = Object.fromEntries(fields.map((field) => [field, {}]))
  return tool({
    description,
    inputSchema: jsonSchema<Input>({ type: 'object', properties }),
    execute: (input: Input, { abortSignal }) => execute(input, abortSignal),
  })
}

async function shell(
  command: string,
  directory: string,
  signal: AbortSignal | undefined,
): Promise<{ code: number; output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn('bash', ['-c', `exec 2>&1\n${command}`], {
      cwd: directory,
      env: {
        PATH: `${join(directory, 'node_modules/.bin')}:${process.env['PATH'] ?? ''}`,
        HOME: join(directory, '.git'),
        LANG: 'C.UTF-8',
        NO_COLOR: '1',
        // One test file after the other, so that they are told in one order.
        VITEST_MAX_WORKERS: '1',
        npm_config_userconfig: '/dev/null',
        npm_config_update_notifier: 'false',
      },
      ...(signal && { signal }),
    })
    let output = ''
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => (output += chunk))
    child.on('error', reject)
    child.on('close', (code) => resolve({ code: code ?? 1, output }))
  })
}
