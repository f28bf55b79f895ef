import { personAnswer } from '../hooks/person-command.ts'
import { standardInput } from '../hooks/hook-process.ts'

// The hook of Claude Code for `/throughline`: a person waits for it, so it may load more than others.
const input = await standardInput()
const answer = await personAnswer('claude-code', input, { env: process.env, now: Date.now })
process.stdout.write(answer, () => process.exit(0))
