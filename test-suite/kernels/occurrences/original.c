int f(const unsigned char *text, int n, unsigned char byte)
{
	int count = 0;
	for (int i = 0; i < n; i++)
		count += text[i] == byte;
	return count;
}
