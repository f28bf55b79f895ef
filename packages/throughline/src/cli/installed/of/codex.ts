import { mcpServer, moduleBeside, programText, runtimeCopy, settingsFile } from '../plugin.ts'
import { shellLine } from '../place.ts'
import { tomlString } from '../toml-blocks.ts'
import { compactPrompt, hookTokens } from '../../../clients/codex/compact-prompt.ts'
import type { InstallableClient } from '../client.ts'

/** A hook, a prompt and an MCP server: Codex itself makes the compaction. */
export const codex: InstallableClient = {
  name: 'codex',
  label: 'Codex',
  word: 'codex',
  program: 'codex',
  gives: 'our prompt for its compaction, facts after it, and recall',
  first:
    'Type /hooks in Codex and trust the hook of Throughline: until then Codex does not run it.',
  settings: ({ env, home, path }) => env['CODEX_HOME'] ?? path.join(home, '.codex'),
  plan(place, wanted) {
    const { path } = place
    const settings = codex.settings(place)
    const program = path.join(place.folder, 'codex', 'program.js')
    const { command, args } = mcpServer(place, 'codex')
    const hook = {
      type: 'command',
      command: shellLine(place, [place.node, program]),
      timeout: 30,
      additionalContextLimit: hookTokens,
    }
    return {
      changes: [
        { type: 'file', path: program, content: programText(place, 'codex') },
        moduleBeside(place, program),
        ...runtimeCopy(place),
        ...settingsFile(place, 'codex', wanted),
        {
          type: 'entries',
          path: path.join(settings, 'config.toml'),
          entries: {
            syntax: 'toml',
            blocks: {
              top: [`compact_prompt = ${tomlString(compactPrompt)}`],
              end: [
                '[mcp_servers.throughline]',
                `command = ${tomlString(command)}`,
                `args = [${args.map(tomlString).join(', ')}]`,
              ],
            },
          },
        },
        {
          type: 'entries',
          path: path.join(settings, 'hooks.json'),
          entries: {
            syntax: 'json',
            entries: [
              {
                at: ['hooks', 'SessionStart'],
                value: { matcher: 'compact|resume', hooks: [hook] },
                mark: 'clients/codex/program.js',
              },
              {
                at: ['hooks', 'PreCompact'],
                value: { hooks: [hook] },
                mark: 'clients/codex/program.js',
              },
            ],
          },
        },
      ],
      notes: [
        'Codex runs a hook only after you have trusted it: type /hooks in Codex once.',
        'Codex writes its summary itself; Throughline sets the prompt and adds what fell out.',
      ],
    }
  },
}
