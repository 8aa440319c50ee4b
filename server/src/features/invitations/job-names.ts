export const EXPIRE_INVITATION_JOB = 'invitations.expire'
