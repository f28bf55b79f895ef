import { mcpServer, moduleBeside, programText, runtimeCopy, settingsFile } from '../plugin.ts'
import { shellLine } from '../place.ts'
import type { InstallableClient } from '../client.ts'

/** Hooks and an MCP server: Qwen Code itself makes the compaction. */
export const qwenCode: InstallableClient = {
  name: 'qwen-code',
  label: 'Qwen Code',
  word: 'qwen',
  program: 'qwen',
  gives: 'facts before and after its compaction, and recall',
  settings: ({ env, home, path }) => env['QWEN_HOME'] ?? path.join(home, '.qwen'),
  plan(place, wanted) {
    const { path } = place
    const program = path.join(place.folder, 'qwen-code', 'program.js')
    // Milliseconds.
    const timeout = 30_000
    const hook = { type: 'command', command: shellLine(place, [place.node, program]), timeout }
    return {
      changes: [
        { type: 'file', path: program, content: programText(place, 'qwen-code') },
        moduleBeside(place, program),
        ...runtimeCopy(place),
        ...settingsFile(place, 'qwen-code', wanted),
        {
          type: 'entries',
          path: path.join(qwenCode.settings(place), 'settings.json'),
          entries: {
            syntax: 'json',
            entries: [
              { at: ['mcpServers', 'throughline'], value: mcpServer(place, 'qwen-code') },
              {
                at: ['hooks', 'PreCompact'],
                value: { hooks: [hook] },
                mark: 'clients/qwen-code/program.js',
              },
              {
                at: ['hooks', 'SessionStart'],
                value: { matcher: 'compact|resume', hooks: [hook] },
                mark: 'clients/qwen-code/program.js',
              },
            ],
          },
        },
      ],
      notes: [
        'Qwen Code writes its summary itself; Throughline tells it what must stand there, and adds what fell out.',
      ],
    }
  },
}
