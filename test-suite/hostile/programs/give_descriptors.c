/* Descriptors are sent to the judge with a forged answer, more than it can hold.
 * verdict: side-effect|different */
#include "hostile.h"
static void attack(void) {}
void f(int n, float *out, const float *in, float a)
{
	char control[CMSG_SPACE(200 * sizeof(int))] = {0}, answer[REPLY_BYTES] = {0};
	struct iovec part = {answer, sizeof(answer)};
	struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof(control)};
	struct cmsghdr *header = CMSG_FIRSTHDR(&message);

	(void)n, (void)out, (void)in, (void)a;
	attack();
	header->cmsg_level = SOL_SOCKET;
	header->cmsg_type = SCM_RIGHTS;
	header->cmsg_len = CMSG_LEN(200 * sizeof(int));
	for (int i = 0; i < 200; i++)
		((int *)CMSG_DATA(header))[i] = 3;
	sendmsg(3, &message, MSG_NOSIGNAL);
}
