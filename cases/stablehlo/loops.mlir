module @jit_loops attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<4x5xf32>) -> (tensor<5xf32> {jax.result_info = "result[0]"}, tensor<4x5xf32> {jax.result_info = "result[1]"}, tensor<5xf32> {jax.result_info = "result[2]"}, tensor<4x5xf32> {jax.result_info = "result[3]"}, tensor<5xf32> {jax.result_info = "result[4]"}, tensor<4x5xf32> {jax.result_info = "result[5]"}, tensor<4x5xf32> {jax.result_info = "result[6]"}, tensor<4x5xf32> {jax.result_info = "result[7]"}, tensor<4x5xf32> {jax.result_info = "result[8]"}, tensor<4x5xf32> {jax.result_info = "result[9]"}, tensor<4x5xf32> {jax.result_info = "result[10]"}) {
    %0 = stablehlo.slice %arg0 [0:1, 0:5] : (tensor<4x5xf32>) -> tensor<1x5xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x5xf32>) -> tensor<5xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x5xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %3:4 = stablehlo.while(%iterArg = %arg0, %iterArg_20 = %c, %iterArg_21 = %1, %iterArg_22 = %2) : tensor<4x5xf32>, tensor<i32>, tensor<5xf32>, tensor<4x5xf32>
    cond {
      %c_23 = stablehlo.constant dense<4> : tensor<i32>
      %34 = stablehlo.compare LT, %iterArg_20, %c_23, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %34 : tensor<i1>
    } do {
      %34 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_20) : (tensor<4x5xf32>, tensor<i32>) -> tensor<5xf32>
      %35:2 = func.call @closed_call(%iterArg_21, %34) : (tensor<5xf32>, tensor<5xf32>) -> (tensor<5xf32>, tensor<5xf32>)
      %36 = func.call @dynamic_update_index_in_dim(%iterArg_22, %35#1, %iterArg_20) : (tensor<4x5xf32>, tensor<5xf32>, tensor<i32>) -> tensor<4x5xf32>
      %c_23 = stablehlo.constant dense<1> : tensor<i32>
      %37 = stablehlo.add %iterArg_20, %c_23 : tensor<i32>
      stablehlo.return %iterArg, %37, %35#0, %36 : tensor<4x5xf32>, tensor<i32>, tensor<5xf32>, tensor<4x5xf32>
    }
    %4 = stablehlo.slice %arg0 [0:1, 0:5] : (tensor<4x5xf32>) -> tensor<1x5xf32>
    %5 = stablehlo.reshape %4 : (tensor<1x5xf32>) -> tensor<5xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<4x5xf32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %7:4 = stablehlo.while(%iterArg = %arg0, %iterArg_20 = %c_1, %iterArg_21 = %5, %iterArg_22 = %6) : tensor<4x5xf32>, tensor<i32>, tensor<5xf32>, tensor<4x5xf32>
    cond {
      %c_23 = stablehlo.constant dense<4> : tensor<i32>
      %34 = stablehlo.compare LT, %iterArg_20, %c_23, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %34 : tensor<i1>
    } do {
      %c_23 = stablehlo.constant dense<4> : tensor<i32>
      %34 = stablehlo.subtract %c_23, %iterArg_20 : tensor<i32>
      %c_24 = stablehlo.constant dense<1> : tensor<i32>
      %35 = stablehlo.subtract %34, %c_24 : tensor<i32>
      %36 = func.call @dynamic_index_in_dim(%iterArg, %35) : (tensor<4x5xf32>, tensor<i32>) -> tensor<5xf32>
      %37:2 = func.call @closed_call(%iterArg_21, %36) : (tensor<5xf32>, tensor<5xf32>) -> (tensor<5xf32>, tensor<5xf32>)
      %38 = func.call @dynamic_update_index_in_dim(%iterArg_22, %37#1, %35) : (tensor<4x5xf32>, tensor<5xf32>, tensor<i32>) -> tensor<4x5xf32>
      %c_25 = stablehlo.constant dense<1> : tensor<i32>
      %39 = stablehlo.add %iterArg_20, %c_25 : tensor<i32>
      stablehlo.return %iterArg, %39, %37#0, %38 : tensor<4x5xf32>, tensor<i32>, tensor<5xf32>, tensor<4x5xf32>
    }
    %8 = stablehlo.slice %arg0 [0:1, 0:5] : (tensor<4x5xf32>) -> tensor<1x5xf32>
    %9 = stablehlo.reshape %8 : (tensor<1x5xf32>) -> tensor<5xf32>
    %10 = stablehlo.reshape %arg0 : (tensor<4x5xf32>) -> tensor<2x2x5xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %11 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<2x2x5xf32>
    %c_3 = stablehlo.constant dense<0> : tensor<i32>
    %12:4 = stablehlo.while(%iterArg = %10, %iterArg_20 = %c_3, %iterArg_21 = %9, %iterArg_22 = %11) : tensor<2x2x5xf32>, tensor<i32>, tensor<5xf32>, tensor<2x2x5xf32>
    cond {
      %c_23 = stablehlo.constant dense<2> : tensor<i32>
      %34 = stablehlo.compare LT, %iterArg_20, %c_23, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %34 : tensor<i1>
    } do {
      %34 = func.call @dynamic_index_in_dim_0(%iterArg, %iterArg_20) : (tensor<2x2x5xf32>, tensor<i32>) -> tensor<2x5xf32>
      %35 = stablehlo.slice %34 [0:1, 0:5] : (tensor<2x5xf32>) -> tensor<1x5xf32>
      %36 = stablehlo.reshape %35 : (tensor<1x5xf32>) -> tensor<5xf32>
      %37:2 = func.call @closed_call(%iterArg_21, %36) : (tensor<5xf32>, tensor<5xf32>) -> (tensor<5xf32>, tensor<5xf32>)
      %38 = stablehlo.slice %34 [1:2, 0:5] : (tensor<2x5xf32>) -> tensor<1x5xf32>
      %39 = stablehlo.reshape %38 : (tensor<1x5xf32>) -> tensor<5xf32>
      %40:2 = func.call @closed_call(%37#0, %39) : (tensor<5xf32>, tensor<5xf32>) -> (tensor<5xf32>, tensor<5xf32>)
      %41 = stablehlo.broadcast_in_dim %37#1, dims = [1] : (tensor<5xf32>) -> tensor<1x5xf32>
      %42 = stablehlo.broadcast_in_dim %40#1, dims = [1] : (tensor<5xf32>) -> tensor<1x5xf32>
      %43 = stablehlo.concatenate %41, %42, dim = 0 : (tensor<1x5xf32>, tensor<1x5xf32>) -> tensor<2x5xf32>
      %44 = func.call @dynamic_update_index_in_dim_1(%iterArg_22, %43, %iterArg_20) : (tensor<2x2x5xf32>, tensor<2x5xf32>, tensor<i32>) -> tensor<2x2x5xf32>
      %c_23 = stablehlo.constant dense<1> : tensor<i32>
      %45 = stablehlo.add %iterArg_20, %c_23 : tensor<i32>
      stablehlo.return %iterArg, %45, %40#0, %44 : tensor<2x2x5xf32>, tensor<i32>, tensor<5xf32>, tensor<2x2x5xf32>
    }
    %13 = stablehlo.reshape %12#3 : (tensor<2x2x5xf32>) -> tensor<4x5xf32>
    %c_4 = stablehlo.constant dense<0> : tensor<i32>
    %c_5 = stablehlo.constant dense<0> : tensor<i32>
    %14:3 = stablehlo.while(%iterArg = %c_5, %iterArg_20 = %c_4, %iterArg_21 = %arg0) : tensor<i32>, tensor<i32>, tensor<4x5xf32>
    cond {
      %c_22 = stablehlo.constant dense<3> : tensor<i32>
      %34 = stablehlo.compare LT, %iterArg, %c_22, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %34 : tensor<i1>
    } do {
      %34:2 = func.call @closed_call_2(%iterArg_20, %iterArg_21) : (tensor<i32>, tensor<4x5xf32>) -> (tensor<i32>, tensor<4x5xf32>)
      %c_22 = stablehlo.constant dense<1> : tensor<i32>
      %35 = stablehlo.add %iterArg, %c_22 : tensor<i32>
      stablehlo.return %35, %34#0, %34#1 : tensor<i32>, tensor<i32>, tensor<4x5xf32>
    }
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %15 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<4x5xf32>
    %c_7 = stablehlo.constant dense<0> : tensor<i32>
    %16:3 = stablehlo.while(%iterArg = %arg0, %iterArg_20 = %c_7, %iterArg_21 = %15) : tensor<4x5xf32>, tensor<i32>, tensor<4x5xf32>
    cond {
      %c_22 = stablehlo.constant dense<4> : tensor<i32>
      %34 = stablehlo.compare LT, %iterArg_20, %c_22, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %34 : tensor<i1>
    } do {
      %34 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_20) : (tensor<4x5xf32>, tensor<i32>) -> tensor<5xf32>
      %35 = func.call @closed_call_3(%34) : (tensor<5xf32>) -> tensor<5xf32>
      %36 = func.call @dynamic_update_index_in_dim(%iterArg_21, %35, %iterArg_20) : (tensor<4x5xf32>, tensor<5xf32>, tensor<i32>) -> tensor<4x5xf32>
      %c_22 = stablehlo.constant dense<1> : tensor<i32>
      %37 = stablehlo.add %iterArg_20, %c_22 : tensor<i32>
      stablehlo.return %iterArg, %37, %36 : tensor<4x5xf32>, tensor<i32>, tensor<4x5xf32>
    }
    %c_8 = stablehlo.constant dense<0> : tensor<i32>
    %17:2 = stablehlo.while(%iterArg = %c_8, %iterArg_20 = %arg0) : tensor<i32>, tensor<4x5xf32>
    cond {
      %c_21 = stablehlo.constant dense<5> : tensor<i32>
      %34 = stablehlo.compare LT, %iterArg, %c_21, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %34 : tensor<i1>
    } do {
      %c_21 = stablehlo.constant dense<2> : tensor<i32>
      %34 = stablehlo.add %iterArg, %c_21 : tensor<i32>
      %cst_22 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %35 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f32>) -> tensor<4x5xf32>
      %36 = stablehlo.multiply %iterArg_20, %35 : tensor<4x5xf32>
      stablehlo.return %34, %36 : tensor<i32>, tensor<4x5xf32>
    }
    %c_9 = stablehlo.constant dense<3> : tensor<i32>
    %18 = stablehlo.slice %arg0 [0:1, 0:5] : (tensor<4x5xf32>) -> tensor<1x5xf32>
    %19 = stablehlo.reshape %18 : (tensor<1x5xf32>) -> tensor<5xf32>
    %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %20 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<4x5xf32>
    %cst_11 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %21 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<4x5xf32>
    %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %22 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<4x5xf32>
    %c_13 = stablehlo.constant dense<0> : tensor<i32>
    %23:6 = stablehlo.while(%iterArg = %arg0, %iterArg_20 = %c_13, %iterArg_21 = %19, %iterArg_22 = %20, %iterArg_23 = %21, %iterArg_24 = %22) : tensor<4x5xf32>, tensor<i32>, tensor<5xf32>, tensor<4x5xf32>, tensor<4x5xf32>, tensor<4x5xf32>
    cond {
      %c_25 = stablehlo.constant dense<4> : tensor<i32>
      %34 = stablehlo.compare LT, %iterArg_20, %c_25, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %34 : tensor<i1>
    } do {
      %34 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_20) : (tensor<4x5xf32>, tensor<i32>) -> tensor<5xf32>
      %35:4 = func.call @closed_call_4(%iterArg_21, %34) : (tensor<5xf32>, tensor<5xf32>) -> (tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>)
      %36 = func.call @dynamic_update_index_in_dim(%iterArg_22, %35#1, %iterArg_20) : (tensor<4x5xf32>, tensor<5xf32>, tensor<i32>) -> tensor<4x5xf32>
      %37 = func.call @dynamic_update_index_in_dim(%iterArg_23, %35#2, %iterArg_20) : (tensor<4x5xf32>, tensor<5xf32>, tensor<i32>) -> tensor<4x5xf32>
      %38 = func.call @dynamic_update_index_in_dim(%iterArg_24, %35#3, %iterArg_20) : (tensor<4x5xf32>, tensor<5xf32>, tensor<i32>) -> tensor<4x5xf32>
      %c_25 = stablehlo.constant dense<1> : tensor<i32>
      %39 = stablehlo.add %iterArg_20, %c_25 : tensor<i32>
      stablehlo.return %iterArg, %39, %35#0, %36, %37, %38 : tensor<4x5xf32>, tensor<i32>, tensor<5xf32>, tensor<4x5xf32>, tensor<4x5xf32>, tensor<4x5xf32>
    }
    %cst_14 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %24 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<4x5xf32>
    %25 = stablehlo.multiply %24, %23#3 : tensor<4x5xf32>
    %cst_15 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %26 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<4x5xf32>
    %27 = stablehlo.multiply %26, %25 : tensor<4x5xf32>
    %cst_16 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %28 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<5xf32>
    %cst_17 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %29 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<4x5xf32>
    %c_18 = stablehlo.constant dense<0> : tensor<i32>
    %30:6 = stablehlo.while(%iterArg = %27, %iterArg_20 = %23#4, %iterArg_21 = %23#5, %iterArg_22 = %c_18, %iterArg_23 = %28, %iterArg_24 = %29) : tensor<4x5xf32>, tensor<4x5xf32>, tensor<4x5xf32>, tensor<i32>, tensor<5xf32>, tensor<4x5xf32>
    cond {
      %c_25 = stablehlo.constant dense<4> : tensor<i32>
      %34 = stablehlo.compare LT, %iterArg_22, %c_25, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %34 : tensor<i1>
    } do {
      %c_25 = stablehlo.constant dense<4> : tensor<i32>
      %34 = stablehlo.subtract %c_25, %iterArg_22 : tensor<i32>
      %c_26 = stablehlo.constant dense<1> : tensor<i32>
      %35 = stablehlo.subtract %34, %c_26 : tensor<i32>
      %36 = func.call @dynamic_index_in_dim(%iterArg, %35) : (tensor<4x5xf32>, tensor<i32>) -> tensor<5xf32>
      %37 = func.call @dynamic_index_in_dim(%iterArg_20, %35) : (tensor<4x5xf32>, tensor<i32>) -> tensor<5xf32>
      %38 = func.call @dynamic_index_in_dim(%iterArg_21, %35) : (tensor<4x5xf32>, tensor<i32>) -> tensor<5xf32>
      %39:2 = func.call @closed_call_5(%iterArg_23, %36, %37, %38) : (tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>) -> (tensor<5xf32>, tensor<5xf32>)
      %40 = func.call @dynamic_update_index_in_dim(%iterArg_24, %39#1, %35) : (tensor<4x5xf32>, tensor<5xf32>, tensor<i32>) -> tensor<4x5xf32>
      %c_27 = stablehlo.constant dense<1> : tensor<i32>
      %41 = stablehlo.add %iterArg_22, %c_27 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_20, %iterArg_21, %41, %39#0, %40 : tensor<4x5xf32>, tensor<4x5xf32>, tensor<4x5xf32>, tensor<i32>, tensor<5xf32>, tensor<4x5xf32>
    }
    %31 = stablehlo.broadcast_in_dim %30#4, dims = [1] : (tensor<5xf32>) -> tensor<1x5xf32>
    %cst_19 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %32 = stablehlo.pad %31, %cst_19, low = [0, 0], high = [3, 0], interior = [0, 0] : (tensor<1x5xf32>, tensor<f32>) -> tensor<4x5xf32>
    %33 = stablehlo.add %30#5, %32 : tensor<4x5xf32>
    return %3#2, %3#3, %7#2, %7#3, %12#2, %13, %14#2, %16#2, %17#1, %arg0, %33 : tensor<5xf32>, tensor<4x5xf32>, tensor<5xf32>, tensor<4x5xf32>, tensor<5xf32>, tensor<4x5xf32>, tensor<4x5xf32>, tensor<4x5xf32>, tensor<4x5xf32>, tensor<4x5xf32>, tensor<4x5xf32>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<4x5xf32>, %arg1: tensor<i32>) -> tensor<5xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, sizes = [1, 5] : (tensor<4x5xf32>, tensor<i32>, tensor<i32>) -> tensor<1x5xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x5xf32>) -> tensor<5xf32>
    return %1 : tensor<5xf32>
  }
  func.func private @closed_call(%arg0: tensor<5xf32>, %arg1: tensor<5xf32>) -> (tensor<5xf32>, tensor<5xf32>) {
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<5xf32>
    %1 = stablehlo.multiply %arg0, %0 : tensor<5xf32>
    %2 = stablehlo.add %1, %arg1 : tensor<5xf32>
    %3 = stablehlo.tanh %2 : tensor<5xf32>
    %4 = stablehlo.add %3, %arg1 : tensor<5xf32>
    return %3, %4 : tensor<5xf32>, tensor<5xf32>
  }
  func.func private @dynamic_update_index_in_dim(%arg0: tensor<4x5xf32>, %arg1: tensor<5xf32>, %arg2: tensor<i32>) -> tensor<4x5xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1] : (tensor<5xf32>) -> tensor<1x5xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c : (tensor<4x5xf32>, tensor<1x5xf32>, tensor<i32>, tensor<i32>) -> tensor<4x5xf32>
    return %1 : tensor<4x5xf32>
  }
  func.func private @dynamic_index_in_dim_0(%arg0: tensor<2x2x5xf32>, %arg1: tensor<i32>) -> tensor<2x5xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 2, 5] : (tensor<2x2x5xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x5xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x2x5xf32>) -> tensor<2x5xf32>
    return %1 : tensor<2x5xf32>
  }
  func.func private @dynamic_update_index_in_dim_1(%arg0: tensor<2x2x5xf32>, %arg1: tensor<2x5xf32>, %arg2: tensor<i32>) -> tensor<2x2x5xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<2x5xf32>) -> tensor<1x2x5xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0 : (tensor<2x2x5xf32>, tensor<1x2x5xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<2x2x5xf32>
    return %1 : tensor<2x2x5xf32>
  }
  func.func private @closed_call_2(%arg0: tensor<i32>, %arg1: tensor<4x5xf32>) -> (tensor<i32>, tensor<4x5xf32>) {
    %c = stablehlo.constant dense<1> : tensor<i32>
    %0 = stablehlo.add %arg0, %c : tensor<i32>
    %c_0 = stablehlo.constant dense<4> : tensor<i32>
    %1:4 = stablehlo.while(%iterArg = %arg0, %iterArg_1 = %arg0, %iterArg_2 = %c_0, %iterArg_3 = %arg1) : tensor<i32>, tensor<i32>, tensor<i32>, tensor<4x5xf32>
    cond {
      %2 = stablehlo.compare LT, %iterArg_1, %iterArg_2, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %2 : tensor<i1>
    } do {
      %c_4 = stablehlo.constant dense<1> : tensor<i32>
      %2 = stablehlo.add %iterArg_1, %c_4 : tensor<i32>
      %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
      %3 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x5xf32>
      %4 = stablehlo.multiply %iterArg_3, %3 : tensor<4x5xf32>
      %5 = stablehlo.multiply %iterArg, %iterArg_1 : tensor<i32>
      %6 = stablehlo.convert %5 : (tensor<i32>) -> tensor<f32>
      %7 = stablehlo.broadcast_in_dim %6, dims = [] : (tensor<f32>) -> tensor<4x5xf32>
      %8 = stablehlo.add %4, %7 : tensor<4x5xf32>
      stablehlo.return %iterArg, %2, %iterArg_2, %8 : tensor<i32>, tensor<i32>, tensor<i32>, tensor<4x5xf32>
    }
    return %0, %1#3 : tensor<i32>, tensor<4x5xf32>
  }
  func.func private @closed_call_3(%arg0: tensor<5xf32>) -> tensor<5xf32> {
    %0 = call @sort(%arg0) : (tensor<5xf32>) -> tensor<5xf32>
    return %0 : tensor<5xf32>
  }
  func.func private @sort(%arg0: tensor<5xf32>) -> tensor<5xf32> {
    %0 = "stablehlo.sort"(%arg0) <{dimension = 0 : i64, is_stable = true}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %1 = stablehlo.compare EQ, %arg1, %cst, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2 = stablehlo.select %1, %cst_0, %arg1 : tensor<i1>, tensor<f32>
      %3 = stablehlo.compare NE, %arg1, %arg1, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %cst_1 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
      %4 = stablehlo.select %3, %cst_1, %2 : tensor<i1>, tensor<f32>
      %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %5 = stablehlo.compare EQ, %arg2, %cst_2, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %6 = stablehlo.select %5, %cst_3, %arg2 : tensor<i1>, tensor<f32>
      %7 = stablehlo.compare NE, %arg2, %arg2, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %cst_4 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
      %8 = stablehlo.select %7, %cst_4, %6 : tensor<i1>, tensor<f32>
      %9 = stablehlo.compare LT, %4, %8, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %9 : tensor<i1>
    }) : (tensor<5xf32>) -> tensor<5xf32>
    return %0 : tensor<5xf32>
  }
  func.func private @closed_call_4(%arg0: tensor<5xf32>, %arg1: tensor<5xf32>) -> (tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>) {
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<5xf32>
    %1 = stablehlo.multiply %arg0, %0 : tensor<5xf32>
    %2 = stablehlo.add %1, %arg1 : tensor<5xf32>
    %3 = stablehlo.tanh %2 : tensor<5xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<5xf32>
    %5 = stablehlo.subtract %4, %3 : tensor<5xf32>
    %6 = stablehlo.add %3, %arg1 : tensor<5xf32>
    return %3, %6, %3, %5 : tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>
  }
  func.func private @closed_call_5(%arg0: tensor<5xf32>, %arg1: tensor<5xf32>, %arg2: tensor<5xf32>, %arg3: tensor<5xf32>) -> (tensor<5xf32>, tensor<5xf32>) {
    %0 = stablehlo.add %arg0, %arg1 : tensor<5xf32>
    %1 = stablehlo.multiply %0, %arg3 : tensor<5xf32>
    %2 = stablehlo.multiply %1, %arg2 : tensor<5xf32>
    %3 = stablehlo.add %1, %2 : tensor<5xf32>
    %4 = stablehlo.add %arg1, %3 : tensor<5xf32>
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<5xf32>
    %6 = stablehlo.multiply %3, %5 : tensor<5xf32>
    return %6, %4 : tensor<5xf32>, tensor<5xf32>
  }
}
