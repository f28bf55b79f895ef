export { startTask } from './start-task.ts'
