/** The recall tool of the plugin, as Claude Code names it to its model. */
export const recallTool = 'mcp__plugin_throughline_throughline__recall'
