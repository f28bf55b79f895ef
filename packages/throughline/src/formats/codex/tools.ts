import type { ToolTable } from '../handoff/tool-table.ts'

/** As real sessions of versions 0.118 to 0.142 call them. Files are read by commands. */
export const codexTools: ToolTable = {
  label: 'Codex',
  tools: [
    {
      name: 'exec_command',
      kind: 'runs a command',
      arguments: { command: 'cmd', directory: 'workdir' },
      needs: ['command'],
      asides: [
        'yield_time_ms',
        'max_output_tokens',
        'sandbox_permissions',
        'justification',
        'prefix_rule',
      ],
    },
    {
      name: 'shell_command',
      kind: 'runs a command',
      arguments: { command: 'command', directory: 'workdir' },
      needs: ['command'],
      asides: ['timeout_ms', 'sandbox_permissions', 'justification'],
    },
    {
      name: 'apply_patch',
      kind: 'applies a patch',
      arguments: { patch: 'input' },
      needs: ['patch'],
    },
    {
      name: 'web_search',
      kind: 'searches the web',
      arguments: {},
      needs: [],
      own: ['query'],
    },
    {
      name: 'update_plan',
      kind: 'keeps the list of things to do',
      arguments: {},
      needs: [],
      own: ['plan', 'explanation'],
    },
    {
      name: 'spawn_agent',
      kind: 'gives work to a subagent',
      arguments: {},
      needs: [],
      own: ['message', 'agent_type'],
    },
  ],
}
