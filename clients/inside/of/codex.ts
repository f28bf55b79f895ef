import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { codex } from '../../of/codex.ts'
import { runClient } from '../../run-client.ts'
import { withServer } from '../with-server.ts'
import type { InsideClient } from '../client-trial.ts'

const window = 50_000
// Who works in it trusts the hook once, with /hooks.
const flags = ['--dangerously-bypass-hook-trust']
const exec = ['exec', ...flags, '--skip-git-repo-check']

export const insideCodex: InsideClient = {
  client: codex,
  word: 'codex',
  window,
  overflowsAt: 40_000,
  filesBeforeCompact: 3,
  read: (file) => ({ name: 'exec_command', input: { cmd: `cat ${file}` } }),
  run: (cmd) => ({ name: 'exec_command', input: { cmd } }),
  write: (file, content) => ({
    name: 'exec_command',
    input: { cmd: `cat > ${file} <<'END'\n${content}END` },
  }),
  broken: { '.local/share/throughline/clients/codex/program.js': 'throw new Error("broken")\n' },
  async prepare(home) {
    const file = join(home, '.codex/config.toml')
    const text = await readFile(file, 'utf8')
    await writeFile(file, text.replace(/(model_context_window = )\d+/, `$1${window}`))
    return {}
  },
  // It ends at such an error, with us and without.
  afterOverflow: { exitCode: 1, compacts: false },
  first: (prompt) => [...exec, prompt],
  again: (prompt) => [...exec, 'resume', '--last', prompt],
  async compact({ command, directory, home, env }) {
    const threads = await runClient({
      command: 'find',
      args: [join(home, '.codex/sessions'), '-name', 'rollout-*'],
      directory,
      home,
      env,
    })
    const [threadId = ''] = /[0-9a-f]{8}-[0-9a-f-]{27}(?=\.jsonl)/.exec(threads.printed) ?? []
    const serve = { command, args: [...flags, 'app-server'], directory, home, env }
    await withServer(serve, async ({ say, hear }) => {
      const call = async (id: number, method: string, params: object): Promise<void> => {
        say(`${JSON.stringify({ id, method, params })}\n`)
        await hear(new RegExp(`"id":${id},"result"`))
      }
      await call(1, 'initialize', { clientInfo: { name: 'trial', title: 'Trial', version: '1' } })
      say(`${JSON.stringify({ method: 'initialized' })}\n`)
      await call(2, 'thread/resume', { threadId })
      await call(3, 'thread/compact/start', { threadId })
      await hear(/"method":"turn\/completed"/)
    })
  },
}
