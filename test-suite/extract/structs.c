/* Fields and globals as values that do not change. */
typedef struct {
	int w, h, n;
	float scale;
	float *data;
	float weight[3];
} layer;

struct net { layer *layers; int count; };

float gain;
static float buffer[64][64];
int width;

void scale_layer(layer *l, float *out)
{
	for (int y = 0; y < l->h; y++)
		for (int x = 0; x < l->w - 1; x++)
			out[y * l->w + x] = l->data[y * l->w + x] * l->weight[1];
}

void by_value(layer l)
{
	for (int i = 0; i < l.n; i++)
		l.data[i] *= l.scale;
}

void nested(struct net *net, int k, const float *in)
{
	for (int i = 0; i < net->layers[k].n; i++)
		net->layers[k].data[i] += in[i];
}

void globals(void)
{
	for (int i = 0; i < 64; i++)
		for (int j = 0; j < width; j++)
			buffer[i][j] *= gain;
}

void through_pointer(float *x, int n)
{
	for (int i = 0; i < n; i++)
		x[i] *= gain;
}

void write_field(layer *l, const float *x)
{
	for (int i = 0; i < l->n; i++)
		l->scale += x[i];
}
