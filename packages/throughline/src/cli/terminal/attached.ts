export interface Attached {
  program: string
  arguments: readonly string[]
  directory?: string
  variables: Readonly<Record<string, string | undefined>>
  /** What it reads; without it, the program gets the terminal's own input. */
  input?: string
}

/**
 * Runs a program that takes over the terminal, without a shell, and waits for its end. Ctrl-C
 * reaches the program. Returns its exit code: 128 and more if it was ended by a signal.
 * @throws the system's error if it can't be run.
 */
export async function runAttached(attached: Attached): Promise<number> {
  const { program, directory, variables, input } = attached
  const { spawn } = await import('node:child_process')
  const wait = (): void => {}
  process.on('SIGINT', wait)
  try {
    return await new Promise((resolve, reject) => {
      const child = spawn(program, attached.arguments, {
        ...(directory !== undefined && { cwd: directory }),
        env: { ...variables },
        stdio: [input === undefined ? 'inherit' : 'pipe', 'inherit', 'inherit'],
      })
      child.on('error', reject)
      child.on('close', (code) => resolve(code ?? 128))
      // A pager that is left early closes its input.
      child.stdin?.on('error', () => {})
      child.stdin?.end(input)
    })
  } finally {
    process.off('SIGINT', wait)
  }
}
