export {
  approveAction,
  decideAgentPayment,
  markExpiredActionFailed,
  rejectAction,
} from './approval/decide-action.ts'
export { showChanged } from './actions/show-actions.ts'
export { updateAgent } from './record/update-agent.ts'
export { deleteAgentsOfCustomer, lockActionsOfCustomer } from './record/delete-agent.ts'
export { listOwnActions } from './actions/list-actions.ts'
export { mustFindAgent } from './record/find-agent.ts'
export { agentToWire } from './record/wire.ts'
export { ActionSchema, AgentSchema, REASON_LENGTH_MAX } from './schema.ts'
export { jobs } from './jobs.ts'
export { refuseCancelling, refuseSettling } from './approval/block-pending-approval.ts'
export { routes } from './routes.ts'
