export { connectAgent, type Connection, type ServiceMethods } from './connect-agent.js'
export { MembershipDesk, type Desk, type IMembershipDesk } from './membership-desk.js'
