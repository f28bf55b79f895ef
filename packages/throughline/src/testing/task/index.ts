export { startTask } from './start-task.ts'
export type { AgentTask, AgentTaskOptions } from './start-task.ts'
export type { TaskTool } from './task-tools.ts'
