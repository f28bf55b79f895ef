import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readCall } from './read-call.ts'
import type { Effect, LensCall, ToolLens } from '../lens.ts'

const envelope = '*** Begin Patch\n*** Update File: src/a.ts\n@@\n-a\n+b\n*** End Patch'

// What SWE-agent puts below each output.
const prompt = '(Open file: /w/src/a (1).py)\n(Current directory: /w)\nbash-$'

type Row = [tool: string, input: unknown, output: string, ...effects: Effect[]]

function effectsOf(call: Partial<LensCall>, lenses?: ToolLens[]): Effect[] {
  return readCall({ tool: '', input: {}, output: '', failed: false, ...call }, lenses)
}

test('of several command lines in one call, each has its effects', () => {
  const effects = effectsOf({
    tool: 'run_commands',
    input: { commands: ['npm test', 'rm /r/a.ts'] },
  })
  expect(effects).toMatchObject([
    { type: 'command', command: 'npm test' },
    { type: 'delete', path: '/r/a.ts' },
    { type: 'command', command: 'rm /r/a.ts' },
  ])
})

describe('tools that handle files', () => {
  test.each<Row>([
    // Cline
    [
      'editor',
      { path: '/r/a.ts', old_text: 'a', new_text: 'b' },
      'ok',
      { type: 'edit', path: '/r/a.ts' },
    ],
    ['read_files', { files: [{ path: '/r/a.ts' }] }, '1 | x', { type: 'read', path: '/r/a.ts' }],
    // Continue
    ['Write', { filepath: '/r/a.ts', content: 'x' }, 'ok', { type: 'create', path: '/r/a.ts' }],
    // Claude Code
    ['Read', { file_path: '/r/a.ts' }, '1\tx', { type: 'read', path: '/r/a.ts' }],
    [
      'Read',
      { file_path: '/r/a.ts', offset: 40, limit: 10 },
      'x',
      { type: 'read', path: '/r/a.ts', range: [40, 49] },
    ],
    [
      'Read',
      { file_path: '/r/a.ts', limit: 10 },
      'x',
      { type: 'read', path: '/r/a.ts', range: [1, 10] },
    ],
    [
      'Write',
      { file_path: '/r/a.ts', content: 'x' },
      'File created successfully at: /r/a.ts',
      { type: 'create', path: '/r/a.ts' },
    ],
    [
      'Write',
      { file_path: '/r/a.ts', content: 'x' },
      'The file /r/a.ts has been updated successfully.',
      { type: 'edit', path: '/r/a.ts' },
    ],
    [
      'Edit',
      { file_path: '/r/a.ts', old_string: 'a', new_string: 'b' },
      'updated',
      { type: 'edit', path: '/r/a.ts' },
    ],
    [
      'Edit',
      { file_path: '/r/n.ts', old_string: '', new_string: 'b' },
      'ok',
      { type: 'create', path: '/r/n.ts' },
    ],
    ['MultiEdit', { file_path: '/r/a.ts', edits: [] }, 'ok', { type: 'edit', path: '/r/a.ts' }],
    ['NotebookEdit', { notebook_path: '/r/a.ipynb' }, 'ok', { type: 'edit', path: '/r/a.ipynb' }],
    [
      'Grep',
      { pattern: 'foo', path: '/r/a.ts' },
      'x',
      { type: 'search', words: 'foo', path: '/r/a.ts' },
    ],
    ['Grep', { pattern: 'foo', path: '/r/src' }, 'x', { type: 'search', words: 'foo' }],
    ['Glob', { pattern: '**/*.ts' }, 'x', { type: 'search', words: '**/*.ts' }],
    ['LS', { path: '/r' }, 'x', { type: 'search', words: '/r' }],
    [
      'WebFetch',
      { url: 'https://x.y/z', prompt: 'p' },
      'x',
      { type: 'search', words: 'https://x.y/z' },
    ],
    ['WebSearch', { query: 'q' }, 'x', { type: 'search', words: 'q' }],
    ['Task', { prompt: 'write src/a.ts', path: 'x.ts' }, 'done'],
    ['Skill', { skill: 'x', args: 'docs/a.md' }, 'done'],
    // Codex
    [
      'apply_patch',
      envelope,
      '{"output":"Success.","metadata":{"exit_code":0}}',
      { type: 'edit', path: 'src/a.ts' },
    ],
    ['apply_patch', { input: envelope }, 'Success.', { type: 'edit', path: 'src/a.ts' }],
    ['view_image', { path: '/r/a.png' }, '', { type: 'read', path: '/r/a.png' }],
    [
      'web_search_call',
      { type: 'search', query: 'q', queries: ['q'] },
      '',
      { type: 'search', words: 'q' },
    ],
    // opencode
    [
      'read',
      { filePath: '/r/a.ts', offset: 1, limit: 200 },
      '<path>/r/a.ts</path>\n<type>file</type>',
      { type: 'read', path: '/r/a.ts', range: [1, 200] },
    ],
    ['read', { filePath: '/r/src' }, '<path>/r/src</path>\n<type>directory</type>'],
    [
      'edit',
      { filePath: '/r/a.ts', oldString: 'a', newString: 'b' },
      'Edit applied successfully.',
      { type: 'edit', path: '/r/a.ts' },
    ],
    ['apply_patch', { patchText: envelope }, 'Success.', { type: 'edit', path: 'src/a.ts' }],
    // pi
    ['read', { path: 'a.ts' }, 'x', { type: 'read', path: 'a.ts' }],
    [
      'edit',
      { path: 'a.ts', edits: [{ oldText: 'a', newText: 'b' }] },
      'Successfully replaced 1 block(s)',
      { type: 'edit', path: 'a.ts' },
    ],
    [
      'write',
      { path: 'a.ts', content: 'x' },
      'Successfully wrote 1 bytes',
      { type: 'create', path: 'a.ts' },
    ],
    // Copilot CLI
    [
      'view',
      { path: 'C:\\r\\a.ts', view_range: [5, 9] },
      'x',
      { type: 'read', path: 'C:\\r\\a.ts', range: [5, 9] },
    ],
    [
      'create',
      { path: '/r/a.ts', file_text: 'x' },
      'Created file',
      { type: 'create', path: '/r/a.ts' },
    ],
    ['rg', { pattern: 'x', paths: ['/r/a.ts', '/r/b.ts'] }, '', { type: 'search', words: 'x' }],
    // Gemini CLI
    [
      'read_file',
      { file_path: 'a.ts', start_line: 1, end_line: 25 },
      'x',
      { type: 'read', path: 'a.ts', range: [1, 25] },
    ],
    ['read_many_files', { paths: ['a.ts', 'src/**'] }, 'x', { type: 'read', path: 'a.ts' }],
    [
      'replace',
      { file_path: 'a.ts', old_string: 'a', new_string: 'b' },
      'Successfully modified file',
      { type: 'edit', path: 'a.ts' },
    ],
    [
      'write_file',
      { file_path: 'a.ts' },
      'Successfully created and wrote to new file: /r/a.ts.',
      { type: 'create', path: 'a.ts' },
    ],
    [
      'write_file',
      { file_path: 'a.ts' },
      'Successfully overwrote file: /r/a.ts.',
      { type: 'edit', path: 'a.ts' },
    ],
    // OpenHands
    [
      'str_replace_editor',
      { command: 'view', path: '/w/a.c', view_range: [2, 8] },
      'x',
      { type: 'read', path: '/w/a.c', range: [2, 8] },
    ],
    [
      'str_replace_editor',
      { command: 'view', path: '/w' },
      "Here's the files and directories up to 2 levels deep",
    ],
    [
      'str_replace_based_edit_tool',
      { command: 'create', path: '/w/a.c' },
      'ok',
      { type: 'create', path: '/w/a.c' },
    ],
    [
      'str_replace_editor',
      { command: 'str_replace', path: '/w/a.c' },
      'The file /w/a.c has been edited.',
      { type: 'edit', path: '/w/a.c' },
    ],
    [
      'file_editor',
      { command: 'undo_edit', path: '/w/a.c' },
      'ok',
      { type: 'edit', path: '/w/a.c' },
    ],
    ['edit', { path: '/w/a.c', content: 'x' }, 'ok', { type: 'edit', path: '/w/a.c' }],
    ['write', { path: '/w/a.c', content: 'x' }, 'ok', { type: 'create', path: '/w/a.c' }],
    // SWE-agent: its editor changes the file that is open
    [
      'create',
      { filename: 'a.py' },
      `[File: a.py (1 lines total)]\n1:\n${prompt}`,
      { type: 'create', path: 'a.py' },
    ],
    [
      'open',
      { path: '/w/a.py', line_number: 3 },
      `[File: /w/a.py (9 lines total)]\n1:\n${prompt}`,
      { type: 'read', path: '/w/a.py' },
    ],
    [
      'edit',
      { search: 'x', replace: 'y' },
      `Text replaced. Please review.\n${prompt}`,
      { type: 'edit', path: '/w/src/a (1).py' },
    ],
    [
      'insert',
      { text: 'x' },
      '[File: /w/b.py (10 lines total)]\r\n1:x',
      { type: 'edit', path: '/w/b.py' },
    ],
    ['edit', { search: 'x', replace: 'y' }, 'done'],
    // OpenAI's own tool
    [
      'apply_patch',
      { type: 'update_file', path: 'a.ts', diff: '@@\n-a\n+b' },
      'ok',
      { type: 'edit', path: 'a.ts' },
    ],
    ['apply_patch', { type: 'delete_file', path: 'a.ts' }, 'ok', { type: 'delete', path: 'a.ts' }],
    // Servers
    ['mcp__files__write_file', { path: '/r/a.ts' }, 'ok', { type: 'create', path: '/r/a.ts' }],
    [
      'mcp__files__move_file',
      { source: '/r/a.ts', destination: '/r/b.ts' },
      'ok',
      { type: 'rename', path: '/r/a.ts', to: '/r/b.ts' },
    ],
  ])('%s %j', (tool, input, output, ...effects) => {
    expect(effectsOf({ tool, input, output })).toEqual(effects)
  })
})

describe("Anthropic's memory tool", () => {
  const path = '/memories/a.md'
  test.each<[input: object, output: string, ...effects: Effect[]]>([
    [{ command: 'view', path }, `Here's the content of ${path}`, { type: 'read', path }],
    [
      { command: 'view', path, view_range: [2, 9] },
      `Here's the content of ${path}`,
      { type: 'read', path, range: [2, 9] },
    ],
    [{ command: 'view', path: '/memories' }, "Here're the files and directories up to 2 levels"],
    [{ command: 'create', path, file_text: 'x' }, 'File created', { type: 'create', path }],
    [
      { command: 'str_replace', path, old_str: 'a', new_str: 'b' },
      'The memory file has been edited.',
      { type: 'edit', path },
    ],
    [
      { command: 'insert', path, insert_line: 0, insert_text: 'x' },
      'The file has been edited.',
      { type: 'edit', path },
    ],
    [
      { command: 'rename', old_path: path, new_path: '/memories/b.md' },
      'Successfully renamed',
      { type: 'rename', path, to: '/memories/b.md' },
    ],
    [
      { command: 'delete', path },
      `Successfully deleted ${path}`,
      { type: 'delete', path, tree: true },
    ],
    [{ command: 'view', path }, `The path ${path} does not exist. Please provide a valid path.`],
    [
      { command: 'str_replace', path, old_str: 'a', new_str: 'b' },
      `No replacement was performed, old_str \`a\` did not appear verbatim in ${path}.`,
      {
        type: 'failure',
        path,
        text: `No replacement was performed, old_str \`a\` did not appear verbatim in ${path}.`,
      },
    ],
    [{ fact: 'We use pnpm.' }, 'ok'],
    [{ command: 'list' }, 'ok'],
  ])('%j', (input, output, ...effects) => {
    expect(effectsOf({ tool: 'memory', input, output })).toEqual(effects)
  })
})

describe('a call that failed changes nothing', () => {
  test.each<[tool: string, input: unknown, output: string, failed: boolean]>([
    ['Edit', { file_path: '/r/a.ts', old_string: 'a' }, 'String to replace not found', true],
    ['Read', { file_path: '/r/a.ts' }, 'File does not exist.', true],
    ['apply_patch', envelope, 'apply_patch verification failed: …', false],
    ['apply_patch', envelope, '{"output":"no","metadata":{"exit_code":1}}', false],
    [
      'str_replace_editor',
      { command: 'str_replace', path: '/w/a.c' },
      'ERROR:\nNo replacement was performed',
      false,
    ],
    [
      'edit',
      { search: 'x', replace: 'y' },
      `Your edit was not applied (file not modified): Text 'x' not found\n${prompt}`,
      false,
    ],
    [
      'insert',
      { text: 'x' },
      `Your proposed edit has introduced new syntax error(s).\n${prompt}`,
      false,
    ],
    ['apply_patch', { type: 'update_file', path: 'a.ts', diff: '' }, 'Failed to apply', false],
    [
      'bash',
      { command: 'rm a.ts' },
      'rm: a.ts: No such file or directory\n\nCommand exited with code 1',
      true,
    ],
    ['unheard_of_write', { path: 'a/b.ts' }, 'no', true],
  ])('%s %j', (tool, input, output, failed) => {
    const touched = effectsOf({ tool, input, output, failed }).filter(
      ({ type }) => type !== 'failure' && type !== 'command',
    )
    expect(touched).toEqual([])
  })
})

describe('tools that run commands', () => {
  test.each<[tool: string, input: unknown, output: string, command: object]>([
    [
      'Bash',
      { command: 'npm test' },
      'ok',
      { command: 'npm test', output: 'ok', head: 'npm test' },
    ],
    [
      'Bash',
      { command: 'npm test' },
      'Exit code 2\nboom',
      { exitCode: 2, output: 'boom', failed: true },
    ],
    [
      'exec_command',
      { cmd: 'go vet', workdir: '/r' },
      "Command: /bin/zsh -lc 'go vet'\nChunk ID: 1\nWall time: 1 seconds\nProcess exited with code 1\nOriginal token count: 3\nOutput:\nbad",
      { command: 'go vet', directory: '/r', exitCode: 1, output: 'bad' },
    ],
    [
      'exec_command',
      { cmd: 'go test' },
      'Chunk ID: 1\nWall time: 1.0 seconds\nProcess running with session ID 77\nOutput:\n',
      { session: '77', running: true },
    ],
    [
      'write_stdin',
      { session_id: 77, chars: '' },
      'Chunk ID: 2\nWall time: 1 seconds\nProcess exited with code 0\nOutput:\nok',
      { command: '', session: '77', exitCode: 0, output: 'ok' },
    ],
    [
      'shell_command',
      { command: 'ls' },
      'Exit code: 0\nWall time: 0 seconds\nOutput:\na',
      { exitCode: 0, output: 'a' },
    ],
    [
      'shell',
      { command: ['bash', '-lc', 'npm run lint'] },
      '{"output":"x","metadata":{"exit_code":0}}',
      { command: 'npm run lint', exitCode: 0, output: 'x' },
    ],
    [
      'shell',
      { command: ['git', 'commit', '-m', "it's"] },
      '',
      { command: "git commit -m 'it'\\''s'" },
    ],
    ['local_shell_call', { action: { command: ['ls', '-l'] } }, '', { command: 'ls -l' }],
    [
      'bash',
      { command: 'x' },
      'boom\n\nCommand exited with code 3',
      { exitCode: 3, output: 'boom\n' },
    ],
    [
      'powershell',
      { command: 'x' },
      'a\n<shellId: 4 completed with exit code 1>',
      { exitCode: 1, output: 'a' },
    ],
    [
      'run_shell_command',
      { command: 'x' },
      'Output: a\nExit Code: 2\nProcess Group PGID: 1',
      { exitCode: 2 },
    ],
    [
      'execute_bash',
      { command: 'x' },
      'a\n[Current working directory: /w]\n[The command completed with exit code 0.]',
      { exitCode: 0 },
    ],
    [
      'BashOutput',
      { bash_id: 'b1' },
      '<status>running</status>\n',
      { session: 'b1', running: true },
    ],
    ['some_runner', { cmd: 'make' }, 'ok', { command: 'make' }],
  ])('%s %j', (tool, input, output, command) => {
    expect(effectsOf({ tool, input, output })).toContainEqual(
      expect.objectContaining({ type: 'command', ...command }),
    )
  })

  test('what a printed file says of exit codes is not believed', () => {
    const output = `${'x\n'.repeat(900)}Exit Code: 7\n${'y\n'.repeat(900)}`
    const command = effectsOf({ tool: 'bash', input: { command: 'cat a.log' }, output }).find(
      ({ type }) => type === 'command',
    )
    expect(command).not.toHaveProperty('exitCode')
  })

  test('a shell that keeps its directory says where the session stands, another one does not', () => {
    const input = { command: 'cd /r/sub && npm test' }
    const stands = { type: 'directory', path: '/r/sub' }
    expect(effectsOf({ tool: 'Bash', input, output: 'ok' })).toContainEqual(stands)
    expect(effectsOf({ tool: 'bash', input, output: 'ok' })).not.toContainEqual(stands)
    const reset = 'ok\nShell cwd was reset to /r'
    expect(effectsOf({ tool: 'Bash', input, output: reset })).toContainEqual({
      type: 'directory',
      path: '/r',
    })
  })

  test("SWE-agent's prompt says where the session stands, and is no output", () => {
    const effects = effectsOf({ tool: 'bash', input: { command: 'ls' }, output: `a.py\n${prompt}` })
    expect(effects).toContainEqual({ type: 'directory', path: '/w' })
    expect(effects).toContainEqual(expect.objectContaining({ type: 'command', output: 'a.py' }))
  })
})

describe('tools that keep a list of things to do', () => {
  test.each<Row>([
    [
      'TodoWrite',
      { todos: [{ content: 'a', status: 'in_progress' }] },
      'ok',
      { type: 'todos' },
      { type: 'todo', text: 'a', status: 'active' },
    ],
    [
      'todowrite',
      { todos: [{ content: 'a', status: 'cancelled', priority: 'high' }] },
      'ok',
      { type: 'todos' },
      { type: 'todo', text: 'a', status: 'done' },
    ],
    [
      'update_plan',
      { plan: [{ step: 'a', status: 'pending' }] },
      'Plan updated',
      { type: 'todos' },
      { type: 'todo', text: 'a', status: 'open' },
    ],
    [
      'TaskCreate',
      { subject: 'a', description: 'b' },
      'Task #7 created successfully: a',
      { type: 'todo', text: 'a', status: 'open', id: '7' },
    ],
    [
      'TaskUpdate',
      { taskId: '7', status: 'completed' },
      'Updated task #7 status',
      { type: 'todo-status', id: '7', status: 'done' },
    ],
    ['TaskUpdate', { taskId: '7', addBlockedBy: ['1'] }, 'Updated'],
  ])('%s %j', (tool, input, output, ...effects) => {
    expect(effectsOf({ tool, input, output })).toEqual(effects)
  })
})

describe('a tool that nobody described', () => {
  test.each<Row>([
    ['mcp__x__writeDocument', { path: 'docs/a.md' }, 'ok', { type: 'create', path: 'docs/a.md' }],
    ['update_file_section', { filename: 'a.md' }, 'ok', { type: 'edit', path: 'a.md' }],
    ['removeFile', { file: 'src/a.ts' }, 'ok', { type: 'delete', path: 'src/a.ts' }],
    ['rename_symbol', { path: 'a/b.ts', new_name: 'foo' }, 'ok'],
    ['get_document', { uri: 'file:///r/a.md' }, 'ok', { type: 'read', path: 'file:///r/a.md' }],
    // Careful.
    ['get_issue', { id: 'ENT-250' }, 'ok'],
    ['create_issue', { target: 'the team' }, 'ok'],
    ['write_query', { path: 'SELECT * FROM a/b' }, 'ok'],
    ['mcp__github__create_or_update_file', { owner: 'a', repo: 'b', path: 'src/a.ts' }, 'ok'],
    ['summarize', { path: 'src/a.ts' }, 'ok'],
    ['open_page', { target: 'https://x.y/z.html' }, 'ok'],
  ])('%s %j', (tool, input, output, ...effects) => {
    expect(effectsOf({ tool, input, output })).toEqual(effects)
  })
})

test("a plugin's lens comes first, whatever the case, and its mistakes do no harm", () => {
  const own: ToolLens = { tools: ['READ'], read: () => [{ type: 'create', path: 'mine' }] }
  expect(effectsOf({ tool: 'read', input: { path: 'a.ts' } }, [own])).toEqual([
    { type: 'create', path: 'mine' },
  ])
  const broken: ToolLens = {
    tools: ['read'],
    read: () => {
      throw new Error('oh')
    },
  }
  expect(effectsOf({ tool: 'read', input: { path: 'a.ts' } }, [broken])).toEqual([])
})

test('no call makes a lens throw', () => {
  const tools = fc.constantFrom(
    'Read',
    'write',
    'Edit',
    'apply_patch',
    'bash',
    'powershell',
    'write_stdin',
    'TodoWrite',
    'TaskUpdate',
    'grep',
    'str_replace_editor',
    'mystery_write',
    '__proto__',
    'constructor',
    '',
  )
  const keys = fc.constantFrom(
    'file_path',
    'path',
    'command',
    'cmd',
    'todos',
    'plan',
    'view_range',
    'offset',
    'limit',
    'workdir',
    'patch',
    'taskId',
    'session_id',
    '__proto__',
  )
  const input = fc.oneof(
    fc.dictionary(keys, fc.jsonValue(), { maxKeys: 5 }),
    fc.dictionary(keys, fc.string({ unit: 'binary' }), { maxKeys: 5 }),
    fc.anything(),
  )
  const output = fc.option(fc.string({ unit: 'binary' }), { nil: undefined })
  fc.assert(
    fc.property(tools, input, output, fc.boolean(), (tool, value, text, failed) => {
      expect(Array.isArray(effectsOf({ tool, input: value, output: text, failed }))).toBe(true)
    }),
    { numRuns: 500 },
  )
})
