import { bash, edit, read, say, step, write, type Turn } from '../story.ts'

const src = 'packages/throughline/src'

const script = `import { createReadStream } from 'node:fs'
import { readSession } from '../packages/throughline/src/formats/index.ts'
import { toolUsage } from '../packages/throughline/src/session/tool-usage.ts'

const [path] = process.argv.slice(2)
if (path === undefined) {
  process.stderr.write('usage: node examples/tool-usage.ts <session.jsonl>\\n')
  process.exit(2)
}
const { log, format } = await readSession(createReadStream(path))
process.stdout.write(\`\${format}, \${log.length} entries\\n\`)
for (const { tool, calls, failures, bytes, visible, largest } of toolUsage(log)) {
  const columns = [tool.padEnd(12), calls, failures, bytes, visible, largest?.ref ?? '-']
  process.stdout.write(\`\${columns.join('\\t')}\\n\`)
}
`

const transcript = `{"parentUuid":null,"isSidechain":false,"sessionId":"s","version":"2.1.20","type":"user","message":{"role":"user","content":"look at a.ts"},"uuid":"u1","timestamp":"2026-01-15T09:00:00.000Z"}
{"parentUuid":"u1","isSidechain":false,"sessionId":"s","version":"2.1.20","type":"assistant","message":{"id":"m1","role":"assistant","model":"m","content":[{"type":"tool_use","id":"t1","name":"Read","input":{"file_path":"a.ts"}}]},"uuid":"u2","timestamp":"2026-01-15T09:00:01.000Z"}
{"parentUuid":"u2","isSidechain":false,"sessionId":"s","version":"2.1.20","type":"assistant","message":{"id":"m1","role":"assistant","model":"m","content":[{"type":"tool_use","id":"t2","name":"Bash","input":{"command":"ls b"}}]},"uuid":"u3","timestamp":"2026-01-15T09:00:01.000Z"}
{"parentUuid":"u3","isSidechain":false,"sessionId":"s","version":"2.1.20","type":"user","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"export const a = 'é'"}]},"uuid":"u4","timestamp":"2026-01-15T09:00:02.000Z"}
{"parentUuid":"u4","isSidechain":false,"sessionId":"s","version":"2.1.20","type":"user","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t2","is_error":true,"content":"ls: cannot access 'b'"}]},"uuid":"u5","timestamp":"2026-01-15T09:00:02.000Z"}
`

export const example: readonly Turn[] = [
  {
    human:
      'Now point 6: export it. And write a small script under examples/ that prints the rows of a transcript file; show me that it works on a tiny one.',
    steps: [
      step(
        read(`${src}/index.ts`),
        read(`${src}/formats/index.ts`),
        read(`${src}/formats/read-session.ts`),
      ),
      step(
        edit(
          `${src}/index.ts`,
          "export { historyOf, advanceHistory, emptyHistory } from './log/history.ts'\n",
          "export { historyOf, advanceHistory, emptyHistory } from './log/history.ts'\nexport { toolUsage } from './session/tool-usage.ts'\n",
        ),
        edit(
          `${src}/index.ts`,
          "export type { Store, StoredSession } from './session/store.ts'\n",
          "export type { Store, StoredSession } from './session/store.ts'\nexport type { ToolUsage } from './session/tool-usage.ts'\n",
        ),
        write('examples/tool-usage.ts', script),
        write('tiny.jsonl', transcript),
      ),
      step(
        bash(
          'node --disable-warning=ExperimentalWarning examples/tool-usage.ts tiny.jsonl; node --disable-warning=ExperimentalWarning examples/tool-usage.ts || echo "exit code $?"',
          'Run the script on a tiny transcript, and without one',
        ),
      ),
      say(
        'It counts `é` as two bytes and the failed `ls` as one failure. The tiny file was only for showing.',
        bash('rm tiny.jsonl && git status --short', 'Remove the tiny transcript'),
      ),
      step(
        bash(
          `npx vitest run ${src}/session/tool-usage && npx oxlint examples/tool-usage.ts ${src}/index.ts`,
          'Run the tests of what changed and lint',
        ),
      ),
    ],
    answer: `\`toolUsage\` and the type \`ToolUsage\` are exported from \`packages/throughline/src/index.ts\`. \`examples/tool-usage.ts\` prints a transcript's rows, tab by tab: tool, calls, failures, bytes, visible bytes, the ref of the largest output. On a tiny transcript it gave 1 call and 21 bytes for Read, 1 call and 1 failure for Bash; without a file it says how to use it and ends with code 2. The tiny transcript is removed.`,
  },
]
