export const EXPIRE_JOB = 'agents.expireAction'
